/** Condenses a document to a few texts: title and headings, its beginning and its most central sentences. */
import type { DocumentTree } from '@quire/blocks/block';
import { walkBlocks } from '@quire/blocks/walk';
import type { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { countWords, documentSentences, type Sentence } from '../sentences/document-sentences.ts';
import { centralities, termVectors } from '../sentences/term-vector.ts';

export interface Digest {
  /** Texts of at most a few hundred words each; empty only for a document without text. */
  texts: readonly string[];
}

/** Maximum number of words of a text that is used whole. */
const SHORT_WORDS = 150;
const OUTLINE_WORDS = 60;
const LEAD_WORDS = 100;
const CENTRAL_SENTENCES = 6;
/** Maximum number of sentences read. Later ones say little about the whole and cost time. */
const MAX_SENTENCES = 3000;

/** Minimum number of words of a part. A part may differ in subject from its neighbours and ends at a block boundary. */
const PART_WORDS = 12;
const MAX_PARTS = 40;

export async function partsOf(tree: DocumentTree, turns: EventLoopTurns): Promise<Digest[]> {
  const sentences = (await documentSentences(tree, turns)).slice(0, MAX_SENTENCES);
  const parts: { text: string; words: number; block: number }[] = [];
  for (const { text, words, block } of sentences) {
    const last = parts.at(-1);
    if (last === undefined || (last.block !== block && last.words >= PART_WORDS)) parts.push({ text, words, block });
    else Object.assign(last, { text: `${last.text} ${text}`, words: last.words + words, block });
  }
  const step = Math.max(1, parts.length / MAX_PARTS);
  const spread = Array.from({ length: Math.min(MAX_PARTS, parts.length) }, (_, at) => parts[Math.floor(at * step)]);
  return spread.flatMap((part) => (part === undefined ? [] : [{ texts: [part.text] }]));
}

export async function digestOf(tree: DocumentTree, turns: EventLoopTurns): Promise<Digest> {
  const sentences = (await documentSentences(tree, turns)).slice(0, MAX_SENTENCES);
  const outline = firstWords([tree.title ?? '', ...headingsOf(tree)], OUTLINE_WORDS);
  const words = sentences.reduce((sum, sentence) => sum + sentence.words, 0);
  const texts = sentences.map(({ text }) => text);
  if (words <= SHORT_WORDS) {
    const whole = [outline, ...texts].join('\n').trim();
    const first = outline === '' ? (texts[0] ?? '') : outline;
    return { texts: [...new Set([whole, first])].filter((text) => text !== '') };
  }
  const lead = firstWords(texts, LEAD_WORDS);
  const central = await centralSentences(sentences, turns);
  return { texts: [outline, lead, ...central].filter((text) => text !== '') };
}

function headingsOf(tree: DocumentTree): string[] {
  const found: string[] = [];
  for (const { type, text } of walkBlocks(tree.blocks)) if (type === 'heading' && text !== undefined) found.push(text);
  return found;
}

/** Joins whole texts until `limit` words are reached; always at least the first one. */
function firstWords(texts: readonly string[], limit: number): string {
  const chosen = new Set<string>();
  let words = 0;
  for (const text of texts) {
    if (words >= limit) break;
    if (text === '' || chosen.has(text)) continue;
    chosen.add(text);
    words += countWords(text);
  }
  return [...chosen].join('. ');
}

async function centralSentences(sentences: readonly Sentence[], turns: EventLoopTurns): Promise<string[]> {
  const vectors = await termVectors(
    sentences.map(({ terms }) => terms),
    turns,
  );
  const scores = await centralities(vectors, turns);
  return sentences
    .map(({ text }, index) => ({ text, score: scores[index] ?? 0 }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, CENTRAL_SENTENCES)
    .map(({ text }) => text);
}
