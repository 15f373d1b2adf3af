import type { TokenCounter } from './token-counter.ts';
import type { Place } from './boxes.ts';
import type { TextSpan } from './text-spans.ts';

/** Text that must precede a piece unless the chunk already has it: the header of a table. */
export interface Lead {
  text: string;
  tokens: number;
  /** Line map of the text. */
  lines: readonly TextSpan[];
}

/** The smallest part that goes unchanged into one chunk; never longer than a chunk may be. */
export interface Piece {
  text: string;
  tokens: number;
  /** Separator between this piece and the one before, within the same block. */
  joiner: '' | '\n';
  lead?: Lead;
  /** Line map of the text. */
  lines: readonly TextSpan[];
}

/** The text of one block, with its place. */
export interface BlockText {
  blockIds: readonly string[];
  places: readonly Place[];
  /** Number of tokens of the whole text, estimated from above. */
  tokens: number;
  /** True if sentences may be repeated at the start of the next chunk; rows and lines of code are not repeated. */
  isProse: boolean;
  /** True for a list item, which starts on the line after the item before. */
  isItem?: boolean;
  /** The whole text as one piece, if it may be kept together. */
  whole: Piece | undefined;
  /** Returns the same text in pieces, for when it must be divided. */
  divide: () => Piece[];
}

export interface BlockTextContext {
  maxTokens: number;
  counter: TokenCounter;
}
