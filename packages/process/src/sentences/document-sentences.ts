/** Returns a document as sentences in reading order with their positions, as input of summaries and classifiers. */
import type { Block, BlockType, DocumentTree } from '@quire/blocks/block';
import { ownText } from '@quire/blocks/walk';
import { analyse } from '@quire/text/language/analyse';
import { tokenise } from '@quire/text/language/tokenise';
import type { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { sentences } from '@quire/text/language/sentences';
import { typewrittenText } from './typewritten.ts';

export interface Sentence {
  /** Verbatim, without surrounding white space; running text in a font of fixed width has single spaces. */
  text: string;
  /** Texts of the headings above the sentence. */
  headings: readonly string[];
  /** Index of the sentence's block, and of the sentence within that block, both from 0. */
  block: number;
  inBlock: number;
  /** Whether this is the first text under a heading. */
  opensSection: boolean;
  terms: readonly string[];
  words: number;
}

/** Maximum number of sentences read; 20,000 sentences are a book of a thousand pages. */
const MAX_SENTENCES = 20_000;
/** Block types of running text. Tables and programs are read only when a document has nothing else. */
const PROSE: ReadonlySet<BlockType> = new Set(['paragraph', 'listItem', 'quote']);
const NOT_TEXT: ReadonlySet<BlockType> = new Set(['heading', 'pageBreak']);

/** Number of characters that count as one word in scripts without spaces. */
const CHARACTERS_PER_WORD = 2;

/** Counts words as a reader does. In scripts without spaces two characters count as one word. */
export function countWords(text: string): number {
  let count = 0;
  for (const { kind, text: token } of tokenise(text)) {
    count += kind === 'word' ? 1 : Math.ceil(token.length / CHARACTERS_PER_WORD);
  }
  return count;
}

export async function documentSentences(tree: DocumentTree, turns: EventLoopTurns): Promise<Sentence[]> {
  const prose = await gather(tree, proseOf, turns);
  return prose.length > 0 ? prose : gather(tree, (block) => (NOT_TEXT.has(block.type) ? null : ownText(block)), turns);
}

/** Returns the running text of a block; null for other blocks. */
const proseOf = (block: Block): string | null =>
  block.type === 'code' ? typewrittenText(block.text ?? '') : PROSE.has(block.type) ? ownText(block) : null;

async function gather(
  tree: DocumentTree,
  textOf: (block: Block) => string | null,
  turns: EventLoopTurns,
): Promise<Sentence[]> {
  const found: Sentence[] = [];
  let blocks = 0;
  let opensSection = true;
  for (const { block, headings } of withHeadings(tree.blocks)) {
    if (block.type === 'heading') opensSection = true;
    const text = textOf(block)?.trim() ?? '';
    if (text === '') continue;
    for (const [inBlock, sentence] of sentences(text, tree.language).entries()) {
      const trimmed = sentence.trim();
      if (trimmed === '') continue;
      const terms = analyse(trimmed, tree.language);
      const words = countWords(trimmed);
      found.push({ text: trimmed, headings, block: blocks, inBlock, opensSection, terms, words });
      if (found.length >= MAX_SENTENCES) return found;
      await turns.pass();
    }
    opensSection = false;
    blocks += 1;
  }
  return found;
}

interface Placed {
  block: Block;
  headings: readonly string[];
}

/**
 * Yields the blocks with their headings. Sections hold their heading as first child. Iterates instead of recursing,
 * because parsers may nest deeply.
 */
function* withHeadings(blocks: readonly Block[]): Generator<Placed> {
  const stack: Placed[] = blocks.toReversed().map((block) => ({ block, headings: [] }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    yield next;
    const { block, headings } = next;
    const title = block.children?.find((child) => child.type === 'heading')?.text;
    const under = block.type === 'section' && title !== undefined ? [...headings, title] : headings;
    for (const child of (block.children ?? []).toReversed()) stack.push({ block: child, headings: under });
  }
}
