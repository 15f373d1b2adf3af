/** An open PDF document. Its bytes stay in PDFium's memory until `close` is called. */
import { readFile } from 'node:fs/promises';
import { ContentError } from '@quire/blocks/content-error';
import { loadPdfium, releasePdfium, type Pdfium } from './pdfium.ts';
import type { FontCache } from './text/glyphs.ts';

const ERROR_FORMAT = 3;
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
/** Maximum file size, in bytes, for which a missing trailer is rebuilt. */
const MAX_REPAIRED_BYTES = 64 * 1024 ** 2;

export class PdfDocument {
  readonly pdfium: Pdfium;
  readonly handle: number;
  readonly pageCount: number;
  readonly fonts: FontCache = new Map();
  /** Handle of the interactive form; 0 when there is none. */
  readonly form: number;
  private readonly memory: number;
  private readonly formInfo: number;

  constructor(pdfium: Pdfium, handle: number, memory: number) {
    this.pdfium = pdfium;
    this.handle = handle;
    this.memory = memory;
    this.pageCount = pdfium.api.FPDF_GetPageCount(handle);
    const hasForm = pdfium.api.FPDF_GetFormType(handle) > 0;
    this.formInfo = hasForm ? pdfium.api.PDFiumExt_OpenFormFillInfo() : 0;
    this.form = hasForm ? pdfium.api.PDFiumExt_InitFormFillEnvironment(handle, this.formInfo) : 0;
  }

  /** Loads a page (index from 0), runs `use` on it and closes it; undefined if the page cannot be loaded. */
  withPage<Result>(index: number, use: (page: number) => Result): Result | undefined {
    const page = this.pdfium.api.FPDF_LoadPage(this.handle, index);
    if (page === 0) return undefined;
    try {
      return use(page);
    } finally {
      this.pdfium.api.FPDF_ClosePage(page);
    }
  }

  /** Returns the document information entry `key`, for example `Title`; empty if it is missing. */
  metadata(key: string): string {
    const { api } = this.pdfium;
    return this.pdfium.utf16((pointer, bytes) => api.FPDF_GetMetaText(this.handle, key, pointer, bytes)).trim();
  }

  close(): void {
    if (this.form !== 0) this.pdfium.api.PDFiumExt_ExitFormFillEnvironment(this.form);
    if (this.formInfo !== 0) this.pdfium.api.PDFiumExt_CloseFormFillInfo(this.formInfo);
    this.pdfium.api.FPDF_CloseDocument(this.handle);
    this.pdfium.free(this.memory);
  }
}

/**
 * Opens the file with an empty password, runs `use` and closes the file. Throws `ContentError`: `encrypted`, `corrupt`,
 * or `too_large` if PDFium exceeds its memory limit.
 */
export async function withPdf<Result>(path: string, use: (document: PdfDocument) => Promise<Result>): Promise<Result> {
  const pdfium = await loadPdfium();
  let failed = false;
  try {
    const document = open(pdfium, await readFile(path));
    try {
      return await use(document);
    } catch (error) {
      failed = isEngineFailure(error);
      throw error;
    } finally {
      // A module that has aborted must not be called again.
      if (!failed) document.close();
    }
  } catch (error) {
    failed ||= isEngineFailure(error);
    if (failed)
      throw new ContentError('too_large', 'The PDF is too complex: it needs too much memory', { cause: error });
    throw error;
  } finally {
    releasePdfium(pdfium, failed);
  }
}

/** Detects that the WebAssembly module trapped or aborted (`RuntimeError`) or ran out of memory. */
const isEngineFailure = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'RuntimeError' || (error instanceof RangeError && error.message.startsWith('PDFium')));

function open(pdfium: Pdfium, bytes: Buffer): PdfDocument {
  const whole = load(pdfium, bytes);
  if (whole instanceof PdfDocument) return whole;
  const repaired = whole === ERROR_FORMAT ? withTrailer(bytes) : undefined;
  const code = repaired === undefined ? whole : load(pdfium, repaired);
  if (code instanceof PdfDocument) return code;
  if (code === ERROR_PASSWORD) throw new ContentError('encrypted', 'The PDF is protected by a password');
  if (code === ERROR_SECURITY) throw new ContentError('encrypted', 'The PDF uses an encryption that is not supported');
  throw new ContentError('corrupt', 'The file is not a readable PDF');
}

/** Returns the document, or PDFium's error code. */
function load(pdfium: Pdfium, bytes: Buffer): PdfDocument | number {
  const memory = pdfium.copyIn(bytes);
  const handle = pdfium.api.FPDF_LoadMemDocument(memory, bytes.byteLength, '');
  if (handle !== 0) return new PdfDocument(pdfium, handle, memory);
  const code = pdfium.api.FPDF_GetLastError();
  pdfium.free(memory);
  return code;
}

/** Appends a trailer to a truncated file. PDFium recovers the objects itself but needs the catalog's number. */
function withTrailer(bytes: Buffer): Buffer | undefined {
  if (bytes.indexOf('%PDF-') < 0 || bytes.byteLength > MAX_REPAIRED_BYTES) return undefined;
  const catalog = /(\d+)\s+(\d+)\s+obj\s*<<(?:(?!endobj)[^]){0,4000}?\/Type\s*\/Catalog\b/.exec(
    bytes.toString('latin1'),
  );
  if (catalog === null) return undefined;
  return Buffer.concat([
    bytes,
    Buffer.from(`\nendstream\nendobj\ntrailer\n<</Root ${catalog[1]} ${catalog[2]} R>>\n%%EOF\n`),
  ]);
}
