/**
 * Divides groups at lines that were ended on purpose, such as the items of a list without markers, addresses, and terms
 * above their descriptions: a line of running text has no room for the first word of the next line.
 */
import { overlapX, width } from '../geometry.ts';
import { quantile } from '../statistics.ts';
import { isRightToLeft, type Line } from './line.ts';

/** Room, in font sizes, beyond the first word of the next line; ragged text leaves less. */
const MIN_ROOM = 2;
/** Maximum distance, in font sizes, of equal right edges. */
const SAME_EDGE = 0.5;
/** Minimum number of lines of a group that is divided. */
const MIN_LINES = 3;
/** Justified text: minimum number, and share of all full lines, of those that end at the right edge. */
const MIN_FLUSH = 3;
const FLUSH_SHARE = 0.7;
/** Minimum share of lines with room in a list of lines. */
const LIST_SHARE = 0.6;

/** Factor of the usual line spacing that sets lines apart, and the minimum share of short lines above gaps. */
const WIDE_SPACING = 1.3;
const SHORT_SHARE = 0.5;
/** Range of the spacing of lines within a paragraph, in font sizes, and the minimum number of measured lines. */
const [MIN_SPACING, MAX_SPACING] = [0.5, 1.8];
const MIN_MEASURED = 8;

/** Returns the usual distance of baselines on a page, in font sizes; undefined for a page with few lines. */
export function usualSpacing(lines: readonly Line[]): number | undefined {
  const measured = lines.flatMap((line, index) => {
    const before = lines[index - 1];
    if (before === undefined || overlapX(before, line) <= 0) return [];
    const spacing = (line.baseline - before.baseline) / line.size;
    return spacing > MIN_SPACING && spacing < MAX_SPACING ? [spacing] : [];
  });
  return measured.length < MIN_MEASURED ? undefined : quantile(measured, 0.25);
}

export interface Surroundings {
  /** Usual line spacing of the page, in font sizes. */
  spacing: number | undefined;
  /** Right edge of the column. */
  right: number;
}

/** Returns the numbers of the lines that begin a part: 0, and those below a line that was ended on purpose. */
export function partsOf(lines: readonly Line[], around: Surroundings): number[] {
  if (lines.every(({ bold }) => bold) || lines.every(({ monospace }) => monospace)) return [0];
  if (isCentred(lines) || lines.some(({ words }) => isRightToLeft(words))) return [0];
  const right = Math.max(...lines.map(({ x1 }) => x1));
  const ended = endsOfParts(lines, right);
  const gaps = lines.flatMap((line, index) => (isSetApart(line, lines[index + 1], around.spacing) ? [index] : []));
  const aboveGaps = endsOfParts(lines, Math.max(right, around.right)).filter((index) => gaps.includes(index));
  if (gaps.length > 0 && aboveGaps.length >= SHORT_SHARE * gaps.length) return startsAfter([...ended, ...gaps]);
  if (lines.length < MIN_LINES) return [0];
  const full = lines.slice(0, -1).filter((_, index) => !ended.includes(index));
  const flush = full.filter(({ x1, size }) => right - x1 < SAME_EDGE * size).length;
  const isJustified = flush >= MIN_FLUSH && flush >= FLUSH_SHARE * full.length;
  return isJustified || ended.length >= LIST_SHARE * (lines.length - 1) ? startsAfter(ended) : [0];
}

/** Returns the starts of the parts that end at the given lines. */
const startsAfter = (ends: readonly number[]): number[] =>
  Array.from(new Set([-1, ...ends]), (end) => end + 1).toSorted((a, b) => a - b);

const endsOfParts = (lines: readonly Line[], right: number): number[] =>
  lines.flatMap((_, index) => (endsOnPurpose(lines, index, right) ? [index] : []));

/** Checks for room for the next word. Lines beside a picture end at one edge, which is not that of the group. */
function endsOnPurpose(lines: readonly Line[], index: number, right: number): boolean {
  const [before, line, next] = [lines[index - 1], lines[index], lines[index + 1]];
  const [word] = next?.words ?? [];
  if (line === undefined || word === undefined) return false;
  if (right - line.x1 <= width(word) + MIN_ROOM * line.size) return false;
  return ![before, next].some((other) => other !== undefined && Math.abs(other.x1 - line.x1) < SAME_EDGE * line.size);
}

const isSetApart = (line: Line, next: Line | undefined, usual: number | undefined): boolean =>
  usual !== undefined && next !== undefined && next.baseline - line.baseline > WIDE_SPACING * usual * line.size;

/** Checks for lines with one centre and different left edges. */
function isCentred(lines: readonly Line[]): boolean {
  const [first] = lines;
  if (first === undefined) return false;
  const isLevel = ({ x0, x1, size }: Line): boolean => Math.abs(x0 + x1 - first.x0 - first.x1) < 2 * size;
  return lines.every(isLevel) && lines.some(({ x0, size }) => Math.abs(x0 - first.x0) > size);
}
