/**
 * A reader of pages outside of this service: a picture of a page goes out, Markdown comes back, with the place of each
 * part where the provider tells it. Drawing pages and making blocks of Markdown are the sandbox's work.
 */
import type { BlockType, BoundingBox } from '../content/block.ts';

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

export interface DocumentParser {
  /** What makes its readings: provider, model and how pages are drawn. Another id, other readings. */
  readonly parserId: string;
  readonly drawing: { jpegQuality: number; maxPixels: number };
  /** Pages that may be under way at once. */
  readonly concurrentPages: number;
  /** Rejects with `ProviderError`, or the signal's reason. */
  readPage(picture: PagePicture, signal: AbortSignal): Promise<ReadPage>;
}
