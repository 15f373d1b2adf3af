/**
 * The interface of every format reader. A parser runs inside a sandboxed child process: it may use memory and time,
 * crash or hang without harming anybody, but it must not open a network connection or write outside `tempDir`.
 */
import type { ParsedContent } from '@quire/blocks/block';
import type { Format } from './formats.ts';

export interface SourceFile {
  /** Absolute path of the bytes on local disk. */
  path: string;
  /** The name the user gave it; for messages and for telling text kinds apart, never opened. */
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
  /** Of pages rendered for OCR: JPEG quality 1..100. */
  jpegQuality: number;
  /** Pixels of a decoded image or rendered page; larger images are refused as `too_large`, pages scaled down. */
  maxPixels: number;
  /** Pixels of what OCR is given: pages are rendered and pictures scaled so that they have no more. */
  ocrPixels?: number | undefined;
  /** HTML: leave out navigation, banners, side bars and the like. Default: everything is kept. */
  removeBoilerplate?: boolean;
}

export interface ParseLimits {
  /** Bytes that a zip-based file may inflate to, members it may hold, ratio past 100 KiB, nesting depth. */
  maxInflatedBytes: number;
  maxArchiveEntries: number;
  maxArchiveRatio: number;
  maxArchiveDepth: number;
}

export interface ParseContext {
  options: ParseOptions;
  limits: ParseLimits;
  signal: AbortSignal;
  /** A directory of this task alone; removed afterwards. */
  tempDir: string;
  /** 0..1 of the parse, called at most a few times a second. */
  onProgress: (fraction: number) => void;
}

/** Reads one file into blocks. Throws `ContentError` for what is wrong with the file. */
export type Parser = (file: SourceFile, context: ParseContext) => Promise<ParsedContent>;

/** Draws the first page as WebP, at most `maxSide` pixels on its longer side; null when the format has no picture. */
export type Thumbnailer = (file: SourceFile, context: ParseContext, maxSide: number) => Promise<Buffer | null>;

export interface FormatReader {
  parse: Parser;
  thumbnail?: Thumbnailer;
}
