/** The size of recognised text, from what letters it is made of and how high its boxes are. */
import type { OcrWord } from './ocr-engine.ts';

/** Shares of the font size, as most faces have them. */
const CAPITAL = 0.7;
const SMALL = 0.5;
const DESCENDER = 0.21;

const REACHES_UP = /[\p{Lu}\p{N}bdfhijklt()[\]{}|/\\!?$€£%&@]|\p{Lo}/u;
const REACHES_DOWN = /[gjpqyQ()[\]{}|/\\$,;]/u;
const HAS_BODY = /[\p{L}\p{N}]/u;

export interface LetterSize {
  /** Font size in pixels. */
  em: number;
  /** y of the line that the letters stand on. */
  baseline: number;
}

/** Undefined for dashes, dots and the like, whose boxes say nothing of the size. */
export function letterSize({ text, bbox: [, top, , bottom] }: OcrWord): LetterSize | undefined {
  if (!HAS_BODY.test(text)) return undefined;
  const below = REACHES_DOWN.test(text) ? DESCENDER : 0;
  const above = REACHES_UP.test(text) ? CAPITAL : SMALL;
  const em = (bottom - top) / (above + below);
  return { em, baseline: bottom - below * em };
}
