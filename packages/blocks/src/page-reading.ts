/** The pages sent to an external parser, and the text that it returns. */
import type { BlockType, BoundingBox } from './block.ts';
import type { ContentWarning } from './content-warning.ts';

export interface PagePicture {
  /** Page number from 1. */
  page: number;
  jpeg: Uint8Array;
  width: number;
  height: number;
}

/** A part of a page as the provider divides it. */
export interface ReadPart {
  /** Null if the type follows from the Markdown. */
  type: BlockType | null;
  markdown: string;
  bbox: BoundingBox | null;
}

/** The provider's reading of one page, stored as JSON between attempts. */
export interface ReadPage {
  page: number;
  /** Parts in reading order; a provider without positions returns one part. */
  parts: ReadPart[];
  /** Warnings about content that the provider left out. */
  warnings: ContentWarning[];
}
