/**
 * The interface of every format reader. A parser runs in a sandboxed child process: it may exhaust memory or time,
 * crash or hang without affecting the service, but must not open network connections or write outside `tempDir`.
 */
import type { ParsedContent } from '@quire/blocks/block';
import type { Format } from './formats.ts';

export interface SourceFile {
  /** Absolute path of the bytes on local disk. */
  path: string;
  /** Name given by the user, for messages and for distinguishing text formats; it is never opened as a path. */
  name: string;
  sizeBytes: number;
  format: Format;
  contentType: string;
}

export interface ParseOptions {
  /** `auto`: pages and images without usable text; `always`: every page; `never`: none. */
  ocr: 'auto' | 'always' | 'never';
  /** Tesseract language codes, e.g. `eng`, `deu`. */
  ocrLanguages: readonly string[];
  /** Folder with `<language>.traineddata` files, for OCR languages that are not packaged. */
  tessdataDir?: string | undefined;
  /** JPEG quality of pages rendered for OCR, 1 to 100. */
  jpegQuality: number;
  /**
   * Maximum number of pixels of a decoded image or rendered page. Larger images are refused as `too_large`; pages are
   * scaled down.
   */
  maxPixels: number;
  /** Maximum number of pixels of an OCR input; pages and pictures are scaled down to it. */
  ocrPixels?: number | undefined;
  /** HTML: leaves out navigation, banners and side bars. Default: everything is kept. */
  removeBoilerplate?: boolean;
}

export interface ParseLimits {
  /** Limits of zip-based files: inflated bytes, members, compression ratio beyond 100 KiB, nesting depth. */
  maxInflatedBytes: number;
  maxArchiveEntries: number;
  maxArchiveRatio: number;
  maxArchiveDepth: number;
  /** Free disk space, in bytes, that unpacked members must leave. Default 0. */
  minFreeBytes?: number;
}

export interface ParseContext {
  options: ParseOptions;
  limits: ParseLimits;
  signal: AbortSignal;
  /** A directory for this task only; removed afterwards. */
  tempDir: string;
  /** Reports the completed fraction of the parse (0 to 1), at most a few times a second. */
  onProgress: (fraction: number) => void;
}

/** Reads one file into blocks. Throws `ContentError` if the file cannot be read. */
export type Parser = (file: SourceFile, context: ParseContext) => Promise<ParsedContent>;

/** Draws the first page as WebP of at most `maxSide` pixels on its longer side; null if there is no picture. */
export type Thumbnailer = (file: SourceFile, context: ParseContext, maxSide: number) => Promise<Buffer | null>;

export interface FormatReader {
  parse: Parser;
  thumbnail?: Thumbnailer;
}
