/**
 * An outside parser of pages: it receives the image of a page and returns Markdown, with the position of each part if
 * the provider reports it. The sandbox draws the pages and converts Markdown to blocks.
 */
import type { PagePicture, ReadPage } from '@quire/blocks/page-reading';

export interface DocumentParser {
  /** Identifies the results: provider, model and the settings of the page images. */
  readonly parserId: string;
  readonly drawing: { jpegQuality: number; maxPixels: number };
  /** Maximum number of concurrent pages. */
  readonly concurrentPages: number;
  /** Rejects with `ProviderError` or the signal's reason. */
  readPage(picture: PagePicture, signal: AbortSignal): Promise<ReadPage>;
}
