/** Filters words misread from stains, drawings and lines by confidence. */
import { characterCount, letterCount } from '../../layout/lines/line.ts';
import { groupBy, median } from '../../layout/statistics.ts';
import { UNREAD_CHARACTER, type OcrWord } from '../engines/ocr-engine.ts';

export function meanConfidence(words: readonly OcrWord[]): number {
  const length = characterCount(words);
  return length === 0 ? 0 : words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / length;
}

/**
 * Minimum confidence of a word and of a line. Drawings and stains have 0 to 0.3, readable words in poor scans 0.4 and
 * more.
 */
const WORD_CONFIDENCE = 0.3;
const LINE_CONFIDENCE = 0.45;
/** Confidence of a line in which doubtful words, often foreign ones, are kept. */
const GOOD_LINE_CONFIDENCE = 0.7;
/** Minimum confidence and number of characters for a picture to count as containing text. */
const SURE_CONFIDENCE = 0.7;
const SURE_CHARACTERS = 3;

/** Minimum share of a line's letters in sure words for it to be text, at any mean confidence. */
const MIN_SURE_SHARE = 0.2;
/** Maximum ratio between the heights of a word and the sure words of its line. */
const SAME_HEIGHT = 2;

export function dropNoise(words: readonly OcrWord[]): OcrWord[] {
  const kept = [...groupBy(words, (word) => word.line).values()].flatMap(wordsOfLine);
  return letterCount(kept.filter(isSure)) >= SURE_CHARACTERS ? kept : [];
}

const hasLetters = ({ text }: OcrWord): boolean => /[\p{L}\p{N}]{2}/u.test(text);
const isSure = (word: OcrWord): boolean =>
  word.confidence >= SURE_CONFIDENCE && (hasLetters(word) || /\p{Lo}/u.test(word.text));

/**
 * Keeps the words of a line that are probably text. In poor print, correct words may have confidence 0: of those next
 * to sure words of their height two thirds were right (receipts: 0.832 to 0.844 of the words found).
 */
function wordsOfLine(line: readonly OcrWord[]): OcrWord[] {
  const confidence = meanConfidence(line);
  const sure = line.filter(isSure);
  const isText = letterCount(sure) >= Math.max(SURE_CHARACTERS, MIN_SURE_SHARE * letterCount(line));
  const height = median(sure.map(heightOf));
  return line.filter((word) => {
    if (word.text.startsWith(UNREAD_CHARACTER)) return false;
    const ratio = heightOf(word) / height;
    if (isText && hasLetters(word) && ratio < SAME_HEIGHT && ratio > 1 / SAME_HEIGHT) return true;
    if (confidence < LINE_CONFIDENCE) return false;
    return word.confidence >= WORD_CONFIDENCE || (confidence >= GOOD_LINE_CONFIDENCE && hasLetters(word));
  });
}

const heightOf = ({ bbox }: OcrWord): number => bbox[3] - bbox[1];

/** Maximum gap, in word heights, after the decimal separator of an amount on receipts. */
const DIGIT_GAP = 0.9;

/** Joins the parts of split amounts such as `35. 00`. */
export function joinSplitNumbers(words: readonly OcrWord[]): OcrWord[] {
  const joined: OcrWord[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last === undefined || !areHalves(last, word)) joined.push(word);
    else joined[joined.length - 1] = { ...last, text: last.text + word.text, bbox: unionOf(last.bbox, word.bbox) };
  }
  return joined;
}

function areHalves(last: OcrWord, word: OcrWord): boolean {
  if (last.line !== word.line || !/^\D{0,3}\d+[.,]$/.test(last.text) || !/^\d{2}\D?$/.test(word.text)) return false;
  return word.bbox[0] - last.bbox[2] < DIGIT_GAP * (last.bbox[3] - last.bbox[1]);
}

type PixelBox = OcrWord['bbox'];

const unionOf = (a: PixelBox, b: PixelBox): PixelBox => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];
