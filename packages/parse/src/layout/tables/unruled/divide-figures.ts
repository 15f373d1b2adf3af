/** Recognises the figures of narrow columns, whose gaps are as small as the spaces between words. */
import { boundsOf } from '../../geometry.ts';
import { textRows, type RowSegment, type TextRow } from '../../lines/text-rows.ts';
import type { Word } from '../../page/page-content.ts';

/** A number; dates, times and telephone numbers are no figures of columns. */
const NUMBER = /^[(+\-–−±<>~≤≥]?[$€£¥]?\d(?:[\d.,'’]*\d)?[%‰]?\)?[*†‡]?$|^(?:19|20)\d\d[-–/]\d{2,4}$/u;
/** Values that are missing or zero. */
const PLACEHOLDER = /^(?:[-–—−.…*:]{1,3}|n\.?\/?a\.?)$/iu;
/** Groups of three digits after a space, which may belong to one number: `51 544`. */
const DIGIT_GROUP = /^\d{3}(?:[.,]\d+)?[%‰)]?$/;
const LEADING_GROUP = /^[(+\-–−±]?\d{1,3}$/;
/** Minimum gap, as a share of the font size, between figures that could be groups of digits of one number. */
const MIN_GROUP_GAP = 0.5;

/** Checks for a number, or a sign in its place. */
export const isFigure = ({ text }: Word): boolean => NUMBER.test(text) || PLACEHOLDER.test(text);

const DASH = /^[-–—−]$/u;

/** Checks whether the word may continue the number or the range (`10 - 20`) that `last` begins or continues. */
const continuesNumber = (last: Word, word: Word): boolean =>
  word.x0 - last.x1 < MIN_GROUP_GAP * word.size &&
  (DASH.test(last.text) ||
    DASH.test(word.text) ||
    ((LEADING_GROUP.test(last.text) || DIGIT_GROUP.test(last.text)) && DIGIT_GROUP.test(word.text)));

/**
 * Divides the figures at the end of `words`, which are ordered left to right, from each other and from the text before
 * them. Returns one part if there are fewer than two figures, because a sentence may end with one.
 */
function divideFigures(words: readonly Word[]): Word[][] {
  const start = words.findLastIndex((word) => !isFigure(word)) + 1;
  const parts: Word[][] = start > 0 ? [words.slice(0, start)] : [];
  let numbers = 0;
  for (const [index, word] of words.entries()) {
    if (index < start) continue;
    const last = words[index - 1];
    const part = parts.at(-1);
    const isNumber = NUMBER.test(word.text);
    if (index > start && last !== undefined && part !== undefined && continuesNumber(last, word)) part.push(word);
    else {
      parts.push([word]);
      if (isNumber) numbers++;
    }
  }
  return numbers < 2 ? [[...words]] : parts;
}

/** Groups words to rows as `textRows`, and divides the figures of each segment. */
export const cellRows = (words: readonly Word[], segmentGap: number): TextRow[] =>
  textRows(words, segmentGap).map((row) => ({ ...row, segments: row.segments.flatMap(divided) }));

function divided(segment: RowSegment): RowSegment[] {
  if (segment.words.length < 2) return [segment];
  const parts = divideFigures(segment.words);
  return parts.length === 1 ? [segment] : parts.map((words) => ({ ...boundsOf(words), words }));
}
