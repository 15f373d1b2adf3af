/**
 * A reader of pages outside of this service: a picture of a page goes out, Markdown comes back, with the place of each
 * part where the provider tells it. Drawing pages and making blocks of Markdown are the sandbox's work.
 */
import type { PagePicture, ReadPage } from '@quire/blocks/page-reading';

export interface DocumentParser {
  /** What makes its readings: provider, model and how pages are drawn. Another id, other readings. */
  readonly parserId: string;
  readonly drawing: { jpegQuality: number; maxPixels: number };
  /** Pages that may be under way at once. */
  readonly concurrentPages: number;
  /** Rejects with `ProviderError`, or the signal's reason. */
  readPage(picture: PagePicture, signal: AbortSignal): Promise<ReadPage>;
}
