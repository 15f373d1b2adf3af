/**
 * Determines the reading order of a page. The drawing order is more reliable than any order derived from positions,
 * above all for columns and right-to-left text, so it is kept unless positions contradict it: single elements drawn out
 * of order are moved, and an erratic page is ordered by recursive cuts into columns.
 */
import { boundsOf, height, overlapX, overlapY, width, type Box } from '../geometry.ts';

export interface Placed extends Box {
  /** Index in the drawing order. */
  order: number;
  /** Number of characters of text. */
  weight: number;
  /** Section number at its start, if any. */
  number?: number;
}

/** Share of pairs in one column drawn bottom to top above which the drawing order is rejected. */
const MAX_INVERTED = 0.15;
/** Minimum length, in characters, of elements used as evidence; formulas and labels are often drawn last. */
const MIN_WEIGHT = 30;
/** Number of elements above which the drawing order is kept, because every pair would be compared. */
const MAX_ITEMS = 3000;

export function inReadingOrder<Item extends Placed>(items: readonly Item[], rightToLeft: boolean): Item[] {
  const drawn = items.toSorted((a, b) => a.order - b.order);
  if (drawn.length > MAX_ITEMS) return drawn;
  const significant = drawn.filter((item) => item.weight >= MIN_WEIGHT);
  if (significant.length < 3) return topFirst(withPrecedence(drawn), rightToLeft);
  const cut = cutOrder(drawn, rightToLeft);
  const kept = withPrecedence(drawn);
  if (ascends(cut) && !ascends(kept)) return cut;
  const isErratic = switches(significant) > 2 * switches(cut.filter((item) => item.weight >= MIN_WEIGHT)) + 3;
  return topFirst(isErratic || invertedShare(significant) > MAX_INVERTED ? cut : kept, rightToLeft);
}

/** Minimum number of numbered sections that indicate an order. */
const MIN_NUMBERS = 3;

/** Checks whether section numbers ascend by one. Boxes side by side may be drawn by row and numbered by column. */
function ascends(items: readonly Placed[]): boolean {
  const numbers = items.flatMap(({ number }) => number ?? []);
  return (
    numbers.length >= MIN_NUMBERS &&
    numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1)
  );
}

/** Moves text above all other text to the front, unless it heads a later column. */
function topFirst<Item extends Placed>(items: readonly Item[], rightToLeft: boolean): Item[] {
  const [top, ...others] = items.filter((item) => item.weight > 0).toSorted((a, b) => a.y1 - b.y1);
  if (top === undefined || others.length === 0) return [...items];
  const { x0, x1, y0 } = boundsOf(others);
  const starts = rightToLeft ? top.x1 > (x0 + x1) / 2 : top.x0 < (x0 + x1) / 2;
  return top.y1 <= y0 && starts ? [top, ...items.filter((item) => item !== top)] : [...items];
}

const above = (a: Box, b: Box): boolean =>
  a.y1 <= b.y0 + 0.3 * Math.min(height(a), height(b), 12) && overlapX(a, b) > 0.4 * Math.min(width(a), width(b));

function invertedShare(items: readonly Box[]): number {
  let [inverted, pairs] = [0, 0];
  items.forEach((first, index) => {
    for (const second of items.slice(index + 1)) {
      if (above(second, first)) inverted++;
      else if (!above(first, second)) continue;
      pairs++;
    }
  });
  return pairs === 0 ? 0 : inverted / pairs;
}

/** Counts transitions to an element beside the previous one. */
function switches(items: readonly Box[]): number {
  let count = 0;
  items.forEach((item, index) => {
    const next = items[index + 1];
    if (next !== undefined && overlapX(item, next) <= 0 && overlapY(item, next) > -height(item)) count++;
  });
  return count;
}

/** Keeps the drawing order, except that an element follows everything directly above it in its column. */
function withPrecedence<Item extends Box>(items: readonly Item[]): Item[] {
  const result: Item[] = [];
  const done = new Set<Item>();
  const visit = (item: Item, depth: number): void => {
    if (done.has(item)) return;
    done.add(item);
    if (depth < 50) for (const other of items) if (!done.has(other) && above(other, item)) visit(other, depth + 1);
    result.push(item);
  };
  for (const item of items) visit(item, 0);
  return result;
}

/** Orders by recursive cuts: into columns at a gutter, else into bands that share their gutters. */
function cutOrder<Item extends Box>(items: readonly Item[], rightToLeft: boolean): Item[] {
  if (items.length < 2) return [...items];
  const columns = split(items, 'x', 6);
  if (columns.length > 1) {
    const ordered = rightToLeft ? columns.toReversed() : columns;
    return ordered.flatMap((column) => cutOrder(column, rightToLeft));
  }
  const bands = mergedBands(split(items, 'y', 0));
  if (bands.length > 1) return bands.flatMap((band) => cutOrder(band, rightToLeft));
  return items.toSorted((a, b) => a.y0 - b.y0 || (rightToLeft ? b.x0 - a.x0 : a.x0 - b.x0));
}

/** Splits items into groups separated by at least `gap` points along an axis. */
function split<Item extends Box>(items: readonly Item[], axis: 'x' | 'y', gap: number): Item[][] {
  const [from, to] = axis === 'x' ? (['x0', 'x1'] as const) : (['y0', 'y1'] as const);
  const groups: Item[][] = [];
  let end = -Infinity;
  for (const item of items.toSorted((a, b) => a[from] - b[from])) {
    const group = groups.at(-1);
    if (group !== undefined && item[from] < end + gap) group.push(item);
    else groups.push([item]);
    end = Math.max(end, item[to]);
  }
  return groups;
}

/** Joins adjacent bands with a gutter at the same place: they are rows of the same columns. */
function mergedBands<Item extends Box>(bands: readonly Item[][]): Item[][] {
  const merged: Item[][] = [];
  for (const band of bands) {
    const last = merged.at(-1);
    if (last !== undefined && sharesGutter(last, band)) last.push(...band);
    else merged.push([...band]);
  }
  return merged;
}

function sharesGutter(a: readonly Box[], b: readonly Box[]): boolean {
  const [columnsA, columnsB] = [split(a, 'x', 6), split(b, 'x', 6)];
  if (columnsA.length < 2 && columnsB.length < 2) return false;
  return split([...a, ...b], 'x', 6).length > 1 && spread(a, b);
}

/** Checks that both share a horizontal range, so that a heading above the left column alone is not joined. */
const spread = (a: readonly Box[], b: readonly Box[]): boolean => {
  const [boxA, boxB] = [boundsOf(a), boundsOf(b)];
  return overlapX(boxA, boxB) > 0.4 * Math.min(width(boxA), width(boxB));
};
