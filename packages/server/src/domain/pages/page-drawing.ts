/** Draws pages of stored files in the sandbox. Office files are converted to PDF once; the PDF is kept in the cache. */
import type { ParseLimits, ParseOptions, SourceFile } from '@quire/parse/parser';
import { mayHavePages, type PageSize } from '@quire/parse/page-pictures/list-pages';
import { FORMATS } from '@quire/parse/formats';
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';
import { apiError, notFound, type ApiError } from '../../errors.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { PageSource } from './page-source.ts';
import type { PictureCache } from './picture-cache.ts';

export interface PageDrawingDeps {
  store: Pick<ObjectStore, 'checkout'>;
  cache: Pick<PictureCache, 'checkout' | 'put'>;
  sandbox: Pick<SandboxClient, 'listPages' | 'drawPage'>;
  limits: ParseLimits;
  maxPixels: number;
}

/** Never aborted: all requests that wait for a picture share it, and the sandbox limits its time. */
export const UNABORTED: AbortSignal = new AbortController().signal;

export const noPicture = (reason: string, message: string): ApiError =>
  apiError(404, 'no_picture', message, { ctx: { reason } });

export class PageDrawing {
  readonly #deps: PageDrawingDeps;

  constructor(deps: PageDrawingDeps) {
    this.#deps = deps;
  }

  /** Throws 404 `no_picture` if the pages cannot be drawn, and the `ContentError` of the reader. */
  async list(source: PageSource): Promise<PageSize[]> {
    if (!mayHavePages(source.file.format)) throw noPicture('unsupported', 'Files of this format have no pages to draw');
    const { limits, maxPixels, sandbox } = this.#deps;
    const options: ParseOptions = { ocr: 'never', ocrLanguages: [], jpegQuality: 85, maxPixels };
    const list = await this.#withOriginal(source, (file) =>
      sandbox.listPages({ file, options, limits }, { signal: UNABORTED }),
    );
    if (list === null) throw noConverter();
    if (list.pdf !== null) await this.#deps.cache.put(convertedKey(source), Buffer.from(list.pdf));
    return list.pages;
  }

  /** Throws 404 as `list` does, and if there is no such page. */
  async draw(source: PageSource, page: number, width: number): Promise<Buffer> {
    if (!mayHavePages(source.file.format)) throw noPicture('unsupported', 'Files of this format have no pages to draw');
    const drawFile = (file: SourceFile): Promise<Buffer | null> =>
      this.#deps.sandbox.drawPage({ file, page, width, limitPixels: this.#deps.maxPixels }, { signal: UNABORTED });
    const drawn = isOffice(source)
      ? await this.#withConverted(source, drawFile)
      : await this.#withOriginal(source, drawFile);
    if (drawn === null) throw apiError(404, 'not_found', `The file has no page ${page}`, { loc: ['path', 'page'] });
    return Buffer.from(drawn);
  }

  async #withOriginal<T>({ key, file }: PageSource, use: (file: SourceFile) => Promise<T>): Promise<T> {
    const original = await this.#deps.store.checkout(key);
    if (original === undefined) throw notFound();
    try {
      return await use({ ...file, path: original.path });
    } finally {
      await original.release();
    }
  }

  /** Draws from the PDF in the cache; from the original, converted again, if the cache does not hold it. */
  async #withConverted<T>(source: PageSource, use: (file: SourceFile) => Promise<T>): Promise<T> {
    const { cache } = this.#deps;
    const key = convertedKey(source);
    let pdf = await cache.checkout(key);
    if (pdf === undefined) {
      await this.list(source);
      pdf = await cache.checkout(key);
    }
    if (pdf === undefined) return this.#withOriginal(source, use);
    try {
      const { name } = source.file;
      return await use({ name, path: pdf.path, sizeBytes: 0, format: 'pdf', contentType: 'application/pdf' });
    } finally {
      await pdf.release();
    }
  }
}

const isOffice = ({ file }: PageSource): boolean => FORMATS[file.format].thumbnail === 'office';

const convertedKey = ({ pictures }: PageSource): string => `${pictures}converted.pdf`;

const noConverter = (): ApiError =>
  noPicture('unsupported', 'Pages of office files are drawn only where LibreOffice (`soffice`) is installed');
