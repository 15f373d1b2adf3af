import type { BoundingBox, TextLine } from '@quire/blocks/block';
import type { BlockPart } from './text-spans.ts';

export interface ChunkBox {
  page: number;
  bbox: BoundingBox;
}

/** A chunk of a document, the unit of search. Ingestion derives its id from document and content. */
export interface ChunkDraft {
  ordinal: number;
  text: string;
  /** The headings above the chunk, outermost first. */
  headings: string[];
  blockIds: string[];
  boxes: ChunkBox[];
  /** Line map of the chunk's text; absent for formats without positions. */
  lines?: TextLine[];
  /** Parts of blocks without a position. */
  parts?: BlockPart[];
  tokenCount: number;
}

export interface ChunkingOptions {
  maxTokens: number;
  overlapTokens: number;
}
