/**
 * The interface of an OCR engine. An engine takes one upright, prepared picture (see `ocr.ts`) and gives back words
 * with their boxes; lines, paragraphs and tables are made from them by the page layout (`recognised-page.ts`).
 * Engines run inside the sandboxed child process, hold at most one model in memory and never open a connection.
 */
import type { GreyPicture } from './grey-picture.ts';

export interface OcrWord {
  text: string;
  /** `[x0, y0, x1, y1]` in pixels of the picture that was given, from its top left corner. */
  bbox: readonly [number, number, number, number];
  /** 0..1. */
  confidence: number;
  /** The column or region the word stands in, from 0 in reading order. */
  block: number;
  /** The line within the picture, from 0 in reading order; unique over all blocks. */
  line: number;
}

export interface OcrOptions {
  /** Tesseract language codes, e.g. `eng`, `deu`; tried together, the first one leads. */
  languages: readonly string[];
  /** `block`: lines reach across the whole picture, as on till slips and in tables; default: columns are looked for. */
  arrangement?: 'columns' | 'block' | undefined;
  signal: AbortSignal;
}

/** How the text of a picture stands: turn the picture clockwise by `degrees` to make it upright. */
export interface OcrOrientation {
  degrees: 0 | 90 | 180 | 270;
  /** As Tesseract counts it: 0 is a guess, above about 2 it is sure. */
  confidence: number;
  /** As Tesseract names it (`Latin`, `Han`, `Cyrillic`, …); empty when it does not say. */
  script: string;
  scriptConfidence: number;
}

export interface OcrEngine {
  readonly name: string;
  /** Words in reading order. Throws `ContentError('unsupported')` when a language's data is not installed. */
  recognise(image: GreyPicture, options: OcrOptions): Promise<OcrWord[]>;
  /** Null when the picture holds too few characters to tell. */
  orientation(image: GreyPicture, signal: AbortSignal): Promise<OcrOrientation | null>;
  close(): Promise<void>;
}
