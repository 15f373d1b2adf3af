/**
 * Interface of an OCR engine. An engine takes one upright, preprocessed picture (see `ocr.ts`) and returns words with
 * boxes; the page layout (`recognised-page.ts`) builds lines, paragraphs and tables from them. Engines run in the
 * sandboxed child process, hold at most one model in memory and open no connection.
 */
import type { GreyPicture } from '../image/grey-picture.ts';

/** Placeholder of a character that an engine found but could not read. */
export const UNREAD_CHARACTER = '\u{FFFD}';

export interface OcrWord {
  /** The word, or `UNREAD_CHARACTER`s with confidence 0 for a line that was found but not read. */
  text: string;
  /** Box `[x0, y0, x1, y1]` in pixels of the input picture, from its top left corner. */
  bbox: readonly [number, number, number, number];
  /** Confidence, 0..1. */
  confidence: number;
  /** Index of the word's column or region, from 0 in reading order. */
  block: number;
  /** Index of the word's line, from 0 in reading order; unique over all blocks. */
  line: number;
}

export interface OcrOptions {
  /** Tesseract language codes, such as `eng` or `deu`; used together, the first one has priority. */
  languages: readonly string[];
  /** `block`: lines extend over the whole picture, as on receipts and in tables; default: columns are detected. */
  arrangement?: 'columns' | 'block' | undefined;
  signal: AbortSignal;
}

/** Rotation of the text: rotate the picture clockwise by `degrees` to make it upright. */
export interface OcrOrientation {
  degrees: 0 | 90 | 180 | 270;
  /** Tesseract's confidence: 0 is a guess, above about 2 is certain. */
  confidence: number;
  /** Tesseract's script name (`Latin`, `Han`, `Cyrillic`, …); empty if unknown. */
  script: string;
  scriptConfidence: number;
}

export interface OcrEngine {
  readonly name: string;
  /** Tesseract's names of the scripts that the engine reads in any language setting. */
  readonly scripts: readonly string[];
  /** Returns words in reading order. Throws `ContentError('unsupported')` if a language's data is not installed. */
  recognise(image: GreyPicture, options: OcrOptions): Promise<OcrWord[]>;
  /** Detects rotation and script; null if the picture has too few characters. */
  orientation(image: GreyPicture, signal: AbortSignal): Promise<OcrOrientation | null>;
  close(): Promise<void>;
}
