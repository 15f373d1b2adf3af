/** An open PDF: its bytes stay in PDFium's memory until `close`. */
import { readFile } from 'node:fs/promises';
import { ContentError } from '@quire/blocks/content-error';
import { loadPdfium, releasePdfium, type Pdfium } from './pdfium.ts';
import type { FontCache } from './glyphs.ts';

const ERROR_FORMAT = 3;
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
/** Larger files are not searched for their catalog. */
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

  /** Runs `use` on a page (from 0); undefined when the page cannot be loaded. */
  withPage<Result>(index: number, use: (page: number) => Result): Result | undefined {
    const page = this.pdfium.api.FPDF_LoadPage(this.handle, index);
    if (page === 0) return undefined;
    try {
      return use(page);
    } finally {
      this.pdfium.api.FPDF_ClosePage(page);
    }
  }

  /** The document information entry `key`, e.g. `Title`. */
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
 * Opens the file with an empty password and closes it after `use`. Throws `ContentError`: `encrypted`, `corrupt`, or
 * `too_large` when PDFium runs out of the memory that it may take.
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

/** `RuntimeError` is WebAssembly's: the module trapped or aborted. */
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

/** The document, or PDFium's error code. */
function load(pdfium: Pdfium, bytes: Buffer): PdfDocument | number {
  const memory = pdfium.copyIn(bytes);
  const handle = pdfium.api.FPDF_LoadMemDocument(memory, bytes.byteLength, '');
  if (handle !== 0) return new PdfDocument(pdfium, handle, memory);
  const code = pdfium.api.FPDF_GetLastError();
  pdfium.free(memory);
  return code;
}

/** Files cut off before their trailer: PDFium finds the objects by itself, but must be told the first of them. */
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
