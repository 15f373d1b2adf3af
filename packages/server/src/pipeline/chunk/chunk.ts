import type { BoundingBox } from '../../content/block.ts';

export interface ChunkBox {
  page: number;
  bbox: BoundingBox;
}

/** A passage of a document, the unit of search. Its id is given by `ingest` from document and content. */
export interface ChunkDraft {
  ordinal: number;
  text: string;
  /** The headings above the passage, outermost first. */
  headings: string[];
  blockIds: string[];
  boxes: ChunkBox[];
  tokenCount: number;
}

export interface ChunkingOptions {
  maxTokens: number;
  overlapTokens: number;
}

/**
 * 320 tokens: a passage is about a screen of text, a citation stays easy to check, and with its headings it fits the 512
 * that small embedding models read. The overlap, a sentence or two, is only used where a section is cut.
 */
export const DEFAULT_CHUNKING: ChunkingOptions = { maxTokens: 320, overlapTokens: 32 };
