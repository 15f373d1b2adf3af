/** Words that are none: stains, figures and lines that were read as letters. */
import { characterCount, letterCount } from '../layout/line.ts';
import { groupBy } from '../layout/statistics.ts';
import type { OcrWord } from './ocr-engine.ts';

export function meanConfidence(words: readonly OcrWord[]): number {
  const length = characterCount(words);
  return length === 0 ? 0 : words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / length;
}

/** Figures and stains give 0 to 0.3, readable words in bad scans 0.4 and more. */
const WORD_CONFIDENCE = 0.3;
const LINE_CONFIDENCE = 0.45;
/** In a line that is read well, a doubtful word is a word all the same, a foreign one often: not to be lost. */
const GOOD_LINE_CONFIDENCE = 0.7;
/** Letters and digits that must be read with certainty before a picture counts as holding text at all. */
const SURE_CONFIDENCE = 0.7;
const SURE_CHARACTERS = 3;

export function withoutNoise(words: readonly OcrWord[]): OcrWord[] {
  const lines = groupBy(words, (word) => word.line);
  const kept = words.filter((word) => {
    const line = meanConfidence(lines.get(word.line) ?? []);
    if (line < LINE_CONFIDENCE) return false;
    return word.confidence >= WORD_CONFIDENCE || (line >= GOOD_LINE_CONFIDENCE && /[\p{L}\p{N}]{2}/u.test(word.text));
  });
  const sure = kept.filter((word) => word.confidence >= SURE_CONFIDENCE && /[\p{L}\p{N}]{2}|\p{Lo}/u.test(word.text));
  return letterCount(sure) >= SURE_CHARACTERS ? kept : [];
}

/** Space, in heights, that till slips leave after the point of an amount. */
const DIGIT_GAP = 0.9;

/** `35. 00` is one amount: its halves become one word. */
export function withWholeNumbers(words: readonly OcrWord[]): OcrWord[] {
  const joined: OcrWord[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last === undefined || !areHalves(last, word)) joined.push(word);
    else joined[joined.length - 1] = { ...last, text: last.text + word.text, bbox: around(last.bbox, word.bbox) };
  }
  return joined;
}

function areHalves(last: OcrWord, word: OcrWord): boolean {
  if (last.line !== word.line || !/^\D{0,3}\d+[.,]$/.test(last.text) || !/^\d{2}\D?$/.test(word.text)) return false;
  return word.bbox[0] - last.bbox[2] < DIGIT_GAP * (last.bbox[3] - last.bbox[1]);
}

type PixelBox = OcrWord['bbox'];

const around = (a: PixelBox, b: PixelBox): PixelBox => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];
