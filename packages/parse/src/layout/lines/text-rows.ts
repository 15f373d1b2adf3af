/** Groups words by height, independent of their drawing order, as input of table detection. */
import type { Box } from '../geometry.ts';
import type { Word } from '../page/page-content.ts';
import { median } from '../statistics.ts';

/** Adjacent words of one row, separated only by normal spaces. */
export interface RowSegment extends Box {
  words: Word[];
}

export interface TextRow extends Box {
  baseline: number;
  size: number;
  segments: RowSegment[];
}

/** Maximum baseline difference within a line, as a share of the font size. */
const SAME_LINE = 0.4;

/**
 * Groups words by baseline, top to bottom. Gaps wider than `segmentGap` (a share of the font size) separate segments.
 */
export function textRows(words: readonly Word[], segmentGap: number): TextRow[] {
  const sorted = words.filter((word) => word.angle === 0).toSorted((a, b) => a.baseline - b.baseline || a.x0 - b.x0);
  const groups: Word[][] = [];
  let anchor: Word | undefined;
  for (const word of sorted) {
    const group = groups.at(-1);
    if (anchor !== undefined && group !== undefined && sameLine(anchor, word)) {
      group.push(word);
      if (word.size > anchor.size) anchor = word;
    } else {
      groups.push([word]);
      anchor = word;
    }
  }
  return groups.map((group) => rowOf(group, segmentGap));
}

function sameLine(anchor: Word, word: Word): boolean {
  const shift = Math.abs(word.baseline - anchor.baseline);
  const smaller = Math.min(anchor.size, word.size);
  const raised = word.size < 0.85 * anchor.size || anchor.size < 0.85 * word.size;
  return shift <= SAME_LINE * smaller || (raised && shift <= 0.45 * Math.max(anchor.size, word.size));
}

/** Builds a row; sorts `words` in place. */
function rowOf(words: Word[], segmentGap: number): TextRow {
  if (!words.every((word, index) => index === 0 || word.x0 >= (words[index - 1]?.x0 ?? 0)))
    words.sort((a, b) => a.x0 - b.x0);
  let { x0, y0, x1, y1 } = words[0] ?? { x0: 0, y0: 0, x1: 0, y1: 0 };
  let sizes = 0;
  for (const word of words) {
    sizes += word.size;
    if (word.x0 < x0) x0 = word.x0;
    if (word.y0 < y0) y0 = word.y0;
    if (word.x1 > x1) x1 = word.x1;
    if (word.y1 > y1) y1 = word.y1;
  }
  const size = sizes / words.length;
  return {
    x0,
    y0,
    x1,
    y1,
    baseline: medianBaseline(words),
    size,
    segments: segmentsOf(words, segmentGap * Math.max(size, 4)),
  };
}

/** Splits words, ordered left to right, at gaps wider than `gap`. */
function segmentsOf(words: readonly Word[], gap: number): RowSegment[] {
  const segments: RowSegment[] = [];
  let last: RowSegment | undefined;
  for (const word of words) {
    if (last !== undefined && word.x0 - last.x1 <= gap) {
      last.words.push(word);
      if (word.y0 < last.y0) last.y0 = word.y0;
      if (word.x1 > last.x1) last.x1 = word.x1;
      if (word.y1 > last.y1) last.y1 = word.y1;
    } else {
      last = { x0: word.x0, y0: word.y0, x1: word.x1, y1: word.y1, words: [word] };
      segments.push(last);
    }
  }
  return segments;
}

/** Returns the median baseline; skips sorting when all baselines are equal, as in nearly all rows. */
function medianBaseline(words: readonly Word[]): number {
  const first = words[0]?.baseline ?? 0;
  for (const word of words) if (word.baseline !== first) return median(words.map((other) => other.baseline));
  return first;
}
