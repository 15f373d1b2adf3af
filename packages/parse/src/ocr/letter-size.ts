/** Estimates the font size of recognised text from its letters and the height of its box. */
import type { OcrWord } from './ocr-engine.ts';

/** Letter heights as shares of the font size, typical of most typefaces. */
const CAPITAL = 0.7;
const SMALL = 0.5;
const DESCENDER = 0.21;

const REACHES_UP = /[\p{Lu}\p{N}bdfhijklt()[\]{}|/\\!?$€£%&@]|\p{Lo}/u;
const REACHES_DOWN = /[gjpqyQ()[\]{}|/\\$,;]/u;
const HAS_BODY = /[\p{L}\p{N}]/u;

export interface LetterSize {
  /** Font size in pixels. */
  em: number;
  /** y of the baseline in pixels. */
  baseline: number;
}

/** Returns size and baseline of a word; undefined for words without letters or digits, whose boxes are meaningless. */
export function letterSize({ text, bbox: [, top, , bottom] }: OcrWord): LetterSize | undefined {
  if (!HAS_BODY.test(text)) return undefined;
  const below = REACHES_DOWN.test(text) ? DESCENDER : 0;
  const above = REACHES_UP.test(text) ? CAPITAL : SMALL;
  const em = (bottom - top) / (above + below);
  return { em, baseline: bottom - below * em };
}
