/**
 * Finds column borders in segmented rules. Web pages and office programs draw the border of each cell separately, so a
 * rule under a row consists of pieces, and columns end where two pieces meet.
 */
import type { Rule, Word } from '../../page/page-content.ts';

/** Tolerance, in points, for pieces of one rule, meeting ends and equal borders. */
const TOLERANCE = 1.5;
/** Minimum number of pieces of a rule that is evaluated. */
const MIN_PIECES = 3;
/** Minimum width of a rule that is evaluated, as a share of the table width. */
const MIN_WIDTH_SHARE = 0.6;
/** Maximum share of words that cross a border. */
const MAX_CROSSING_SHARE = 0.02;

export interface CellBorders {
  /** x positions of the column borders. */
  vertical: number[];
  /** y positions of the segmented rules. */
  horizontal: number[];
}

/** Derives borders from the pieces of `rules`, as drawn, in a table of `width` points that contains `words`. */
export function cellBorders(rules: readonly Rule[], words: readonly Word[], width: number): CellBorders {
  const heights: { at: number; ends: number[] }[] = [];
  for (const group of byHeight(rules)) {
    const ends = meetingPoints(group);
    if (ends.length + 1 >= MIN_PIECES && isOneRule(group, MIN_WIDTH_SHARE * width))
      heights.push({ at: group[0]?.at ?? 0, ends });
  }
  const vertical: number[] = [];
  for (const x of heights.flatMap(({ ends }) => ends).toSorted((a, b) => a - b)) {
    const crossing = words.filter((word) => word.x0 < x - TOLERANCE && word.x1 > x + TOLERANCE).length;
    const last = vertical.at(-1);
    if (last !== undefined && (x - last <= TOLERANCE || holdsSigns(words, last, x))) continue;
    if (crossing <= MAX_CROSSING_SHARE * words.length) vertical.push(x);
  }
  return { vertical, horizontal: heights.map(({ at }) => at) };
}

/** Detects a range that mostly holds currency or percent signs, which is not a column. */
function holdsSigns(words: readonly Word[], from: number, to: number): boolean {
  const inside = words.filter((word) => word.x0 > from - TOLERANCE && word.x1 < to + TOLERANCE);
  const signs = inside.filter((word) => /^[$€£¥%()]+$/.test(word.text)).length;
  return signs > 0.5 * inside.length;
}

function byHeight(rules: readonly Rule[]): Rule[][] {
  const groups: Rule[][] = [];
  for (const rule of rules.filter(({ horizontal }) => horizontal).toSorted((a, b) => a.at - b.at)) {
    const group = groups.at(-1);
    if (group !== undefined && rule.at - (group[0]?.at ?? 0) <= TOLERANCE) group.push(rule);
    else groups.push([rule]);
  }
  return groups;
}

/** Checks for a continuous rule; the rules under sums have gaps. */
function isOneRule(pieces: readonly Rule[], shortest: number): boolean {
  const sorted = pieces.toSorted((a, b) => a.from - b.from);
  const start = sorted[0]?.from ?? 0;
  let end = start;
  for (const piece of sorted) {
    if (piece.from > end + TOLERANCE) return false;
    end = Math.max(end, piece.to);
  }
  return end - start >= shortest;
}

/** Returns the x positions where one piece ends and the next one begins. */
function meetingPoints(pieces: readonly Rule[]): number[] {
  const starts = pieces.map((piece) => piece.from);
  const ends = pieces.map((piece) => piece.to).toSorted((a, b) => a - b);
  return ends.filter(
    (end, index) =>
      end - (ends[index - 1] ?? -Infinity) > TOLERANCE && starts.some((start) => Math.abs(start - end) <= TOLERANCE),
  );
}
