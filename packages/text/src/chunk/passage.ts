import type { TextLine } from '@quire/blocks/block';
import type { TokenCounter } from './token-counter.ts';
import type { Place } from './boxes.ts';

/** Text that must stand before a piece unless the chunk has it already: the header of a table. */
export interface Lead {
  text: string;
  tokens: number;
  /** Line map of the text. */
  lines: readonly TextLine[];
}

/** The smallest part that goes into one chunk as it is; never longer than a chunk may be. */
export interface Piece {
  text: string;
  tokens: number;
  /** What stands between it and the piece before, of the same passage. */
  joiner: '' | '\n';
  lead?: Lead;
  /** Line map of the text. */
  lines: readonly TextLine[];
}

/** What a block says, and where. */
export interface Passage {
  blockIds: readonly string[];
  places: readonly Place[];
  /** Tokens of the whole; an estimate from above. */
  tokens: number;
  /** Sentences may be repeated at the start of the next chunk; rows and lines of code are not. */
  isProse: boolean;
  /** A list item: stands on the line after the item before it. */
  isItem?: boolean;
  /** The whole as one piece, when it may be kept together. */
  whole: Piece | undefined;
  /** The same text in pieces for when it has to be divided. */
  divide: () => Piece[];
}

export interface PassageContext {
  maxTokens: number;
  counter: TokenCounter;
}
