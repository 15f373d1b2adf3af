/** Estimates the font size of recognised text from its letters and the height of its box. */
import type { OcrWord } from '../engines/ocr-engine.ts';

/** Letter heights as shares of the font size, typical of most typefaces. */
const CAP_HEIGHT = 0.7;
const X_HEIGHT = 0.5;
const DESCENDER = 0.21;

const HAS_ASCENDER = /[\p{Lu}\p{N}bdfhijklt()[\]{}|/\\!?$€£%&@]|\p{Lo}/u;
const HAS_DESCENDER = /[gjpqyQ()[\]{}|/\\$,;]/u;
const HAS_BODY = /[\p{L}\p{N}]/u;

export interface FontSize {
  /** Font size in pixels. */
  em: number;
  /** y of the baseline in pixels. */
  baseline: number;
}

/** Returns size and baseline of a word; undefined for words without letters or digits, whose boxes are meaningless. */
export function fontSizeOf({ text, bbox: [, top, , bottom] }: OcrWord): FontSize | undefined {
  if (!HAS_BODY.test(text)) return undefined;
  const below = HAS_DESCENDER.test(text) ? DESCENDER : 0;
  const above = HAS_ASCENDER.test(text) ? CAP_HEIGHT : X_HEIGHT;
  const em = (bottom - top) / (above + below);
  return { em, baseline: bottom - below * em };
}
