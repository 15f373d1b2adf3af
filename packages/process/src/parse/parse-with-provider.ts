/**
 * Parses a file with a provider: pages are rendered in the sandbox and read by the provider, several at once. Read
 * pages are cached, so a later attempt continues at the first missing page.
 */
import type { DocumentParser } from '@quire/models/document-parser';
import { contentWarning, type ContentWarning } from '@quire/blocks/content-warning';
import type { ReadPage } from '@quire/blocks/page-reading';
import { isDrawable, isPicture } from '@quire/parse/external/draw-pages';
import type { ProviderReading } from '@quire/parse/external/provider-pages';
import type { SourceFile } from '@quire/parse/parser';
import type { SandboxClient, TaskOptions } from '../tasks/sandbox-client.ts';

/**
 * Maximum number of consecutive pages that fail to load. Page trees may state a wrong length, so the remaining pages
 * are then skipped.
 */
const MAX_MISSING = 50;

/** Cache of the pages read so far, kept until the document is finished. */
export interface PageCache {
  get(page: number): Promise<ReadPage | undefined>;
  put(page: ReadPage): Promise<void>;
}

export interface ProviderParseDeps {
  sandbox: Pick<SandboxClient, 'drawPages'>;
  /** Maximum number of pixels of an image to decode. */
  limitPixels: number;
  /** Null disables caching. */
  cache: PageCache | null;
}

/**
 * Returns the provider's reading for the sandbox. Returns null when the built-in parsers must read the file, with a
 * warning when that is unexpected. Rejects with `ContentError` (`ProviderError`).
 */
export async function parseWithProvider(
  parser: DocumentParser | null,
  file: SourceFile,
  deps: ProviderParseDeps,
  options: TaskOptions,
): Promise<{ reading: ProviderReading | null; warnings: ContentWarning[] }> {
  if (parser === null) return { reading: null, warnings: [] };
  if (!isDrawable(file.format)) {
    const message = `Files of type ${file.format} were read by the built-in parser: the provider reads PDFs and images`;
    return { reading: null, warnings: [contentWarning('simplified', message)] };
  }
  const reading = await readAll(parser, file, deps, options);
  const isEmpty = reading.pages.every(({ parts }) => parts.every(({ markdown }) => markdown.trim() === ''));
  // The built-in parser describes an image without text by its name, size and EXIF data.
  if (isEmpty && isPicture(file.format)) {
    return { reading: null, warnings: reading.pages.flatMap(({ warnings }) => warnings) };
  }
  return { reading, warnings: [] };
}

async function readAll(
  parser: DocumentParser,
  file: SourceFile,
  deps: ProviderParseDeps,
  { signal, onProgress }: TaskOptions,
): Promise<ProviderReading> {
  const draw = (pages: readonly number[]) =>
    deps.sandbox.drawPages({ file, drawing: parser.drawing, limitPixels: deps.limitPixels, pages }, { signal });
  const { pageCount } = await draw([]);
  const pages: ReadPage[] = [];
  const warnings: ContentWarning[] = [];
  let last = 0;
  for (let first = 1; first <= pageCount && first - last <= MAX_MISSING; first += parser.concurrentPages) {
    signal.throwIfAborted();
    const numbers = Array.from(
      { length: Math.min(parser.concurrentPages, pageCount - first + 1) },
      (_, place) => first + place,
    );
    const kept = await cachedPages(deps.cache, numbers);
    const missing = numbers.filter((page) => !kept.some((each) => each.page === page));
    const drawn = missing.length === 0 ? [] : (await draw(missing)).pages;
    for (const page of missing) {
      if (drawn.some((each) => each.page === page)) continue;
      warnings.push(contentWarning('truncated', 'Pages could not be rendered', [page]));
    }
    const outcomes = await Promise.allSettled(
      drawn.map(async (picture) => {
        const page = await parser.readPage(picture, signal);
        await deps.cache?.put(page);
        return page;
      }),
    );
    const read = outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
    pages.push(...[...kept, ...read].toSorted((a, b) => a.page - b.page));
    last = pages.at(-1)?.page ?? 0;
    onProgress?.(Math.min(1, (first + numbers.length - 1) / pageCount));
  }
  return { pages, pageCount, warnings };
}

async function cachedPages(cache: PageCache | null, numbers: readonly number[]): Promise<ReadPage[]> {
  if (cache === null) return [];
  const pages = await Promise.all(numbers.map((page) => cache.get(page)));
  return pages.filter((page) => page !== undefined);
}
