/** Pictures of pages that an external parser reads, and the text that it returns for them. */
import type { BlockType, BoundingBox } from './block.ts';

export interface PagePicture {
  /** From 1. */
  page: number;
  jpeg: Buffer;
  width: number;
  height: number;
}

/** A part of a page where the provider says so. */
export interface ReadPart {
  /** Null: whatever the Markdown is. */
  type: BlockType | null;
  markdown: string;
  bbox: BoundingBox | null;
}

/** What a provider read on a page; kept as JSON between attempts. */
export interface ReadPage {
  page: number;
  /** In reading order; a provider that tells no places gives one part. */
  parts: ReadPart[];
  /** What the provider left out, in words for the user. */
  warnings: string[];
}
