/**
 * Reading a file by an outside parser: its pages are drawn in the sandbox and read by the provider, some at once; what is
 * read is kept, so that an attempt which breaks off is carried on at the page where it did.
 */
import type { DocumentParser } from '@quire/models/document-parser';
import type { ReadPage } from '@quire/blocks/page-reading';
import { isDrawable, isPicture } from '@quire/parse/external/draw-pages';
import type { OutsideReading } from '@quire/parse/external/outside-pages';
import type { SourceFile } from '@quire/parse/parser';
import type { SandboxClient, TaskOptions } from '../tasks/sandbox-client.ts';

/** Page trees may lie about their length: after this many pages that do not load, the rest is given up. */
const MAX_MISSING = 50;

/** Where the pages that are read are kept until the document is done. */
export interface PageCache {
  get(page: number): Promise<ReadPage | undefined>;
  put(page: ReadPage): Promise<void>;
}

export interface ProviderParseDeps {
  sandbox: Pick<SandboxClient, 'drawPages'>;
  /** Pixels of the largest image that is decoded. */
  limitPixels: number;
  /** Null: nothing is kept. */
  cache: PageCache | null;
}

/**
 * What the parser has read, to be handed to the sandbox with the file; null when the built-in readers are to read it,
 * with the reason in words when it is not a matter of course. Rejects with `ContentError` (`ProviderError`).
 */
export async function parseWithProvider(
  parser: DocumentParser | null,
  file: SourceFile,
  deps: ProviderParseDeps,
  options: TaskOptions,
): Promise<{ reading: OutsideReading | null; warnings: string[] }> {
  if (parser === null) return { reading: null, warnings: [] };
  if (!isDrawable(file.format)) {
    const warning = `Files of type ${file.format} were read by the built-in parser: the provider reads PDFs and pictures`;
    return { reading: null, warnings: [warning] };
  }
  const reading = await readAll(parser, file, deps, options);
  const isEmpty = reading.pages.every(({ parts }) => parts.every(({ markdown }) => markdown.trim() === ''));
  // A picture without text is described by its name, size and EXIF, which only the built-in reader knows.
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
): Promise<OutsideReading> {
  const draw = (pages: readonly number[]) =>
    deps.sandbox.drawPages({ file, drawing: parser.drawing, limitPixels: deps.limitPixels, pages }, { signal });
  const { pageCount } = await draw([]);
  const pages: ReadPage[] = [];
  const warnings: string[] = [];
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
      if (!drawn.some((each) => each.page === page)) warnings.push(`Page ${page} could not be drawn`);
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
