/** Summarises without a language model: selects sentences of the document, verbatim and in their order. */
import { ContentError } from '@quire/blocks/content-error';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import type { SummaryConfig } from '../blocks.ts';
import type { ModuleDeps, RunDocument } from '../module.ts';
import { documentSentences } from '../sentences/document-sentences.ts';
import { wordsFor } from './lengths.ts';
import { scoreSentences } from './score-sentences.ts';
import { selectSentences } from './select-sentences.ts';

export async function extractiveSummary(
  { tree }: RunDocument,
  { length, instructions, language }: SummaryConfig,
  { embedder }: Pick<ModuleDeps, 'embedder'>,
  signal: AbortSignal,
): Promise<string> {
  if (language !== undefined && tree.language !== null && language !== tree.language) {
    throw new ContentError('unsupported', 'A summary in another language than the document’s needs a language model');
  }
  const turns = new EventLoopTurns(signal);
  const sentences = await documentSentences(tree, turns);
  if (sentences.length === 0) throw new ContentError('no_text', 'The document holds no text to summarise');
  const input = { title: tree.title, language: tree.language, sentences, focus: instructions ?? null };
  const scored = await scoreSentences(input, embedder, turns, signal);
  const words = sentences.reduce((sum, sentence) => sum + sentence.words, 0);
  const chosen = await selectSentences(scored, wordsFor(length, words), turns);
  return chosen
    .map(({ sentence }, at) => {
      const before = chosen[at - 1]?.sentence;
      return at === 0 ? sentence.text : `${before?.block === sentence.block ? ' ' : '\n'}${sentence.text}`;
    })
    .join('');
}
