/**
 * The order of what stands on a page. The order in which a page draws its text is right far more often than any order
 * worked out from places, above all for columns and right-to-left text, so it is kept unless the places contradict it:
 * single pieces drawn out of turn are moved, and a page drawn all over the place is ordered by cutting it into columns.
 */
import { boundsOf, height, overlapX, overlapY, width, type Box } from './geometry.ts';

export interface Placed extends Box {
  /** Position in the drawing order. */
  order: number;
  /** Characters of text. */
  weight: number;
  /** The number that it begins with, for what may be a numbered section. */
  number?: number;
}

/** Share of pairs in one column drawn from bottom to top beyond which the drawing order is not believed. */
const MAX_INVERTED = 0.15;
/** Shorter pieces (characters) say little: formulas and labels are often drawn after all the rest. */
const MIN_WEIGHT = 30;
/** Beyond that many pieces (every pair is compared) the drawing order is taken as it is. */
const MAX_ITEMS = 3000;

export function inReadingOrder<Item extends Placed>(items: readonly Item[], rightToLeft: boolean): Item[] {
  const drawn = items.toSorted((a, b) => a.order - b.order);
  if (drawn.length > MAX_ITEMS) return drawn;
  const telling = drawn.filter((item) => item.weight >= MIN_WEIGHT);
  if (telling.length < 3) return topFirst(settled(drawn), rightToLeft);
  const cut = cutOrder(drawn, rightToLeft);
  const kept = settled(drawn);
  if (ascends(cut) && !ascends(kept)) return cut;
  const jumpy = switches(telling) > 2 * switches(cut.filter((item) => item.weight >= MIN_WEIGHT)) + 3;
  return topFirst(jumpy || invertedShare(telling) > MAX_INVERTED ? cut : kept, rightToLeft);
}

/** Fewer numbered sections show no order. */
const MIN_NUMBERS = 3;

/** The numbers of the sections count up one by one: boxes side by side may be drawn row by row and numbered by column. */
function ascends(items: readonly Placed[]): boolean {
  const numbers = items.flatMap(({ number }) => number ?? []);
  return (
    numbers.length >= MIN_NUMBERS &&
    numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1)
  );
}

/** Text that stands above all other text comes first, unless it is the head of a later column. */
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

/** How often the order goes over to something that stands beside. */
function switches(items: readonly Box[]): number {
  let count = 0;
  items.forEach((item, index) => {
    const next = items[index + 1];
    if (next !== undefined && overlapX(item, next) <= 0 && overlapY(item, next) > -height(item)) count++;
  });
  return count;
}

/** Drawing order, except that nothing comes before what stands directly above it in its column. */
function settled<Item extends Box>(items: readonly Item[]): Item[] {
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

/** Recursive cuts: into columns where a gutter runs through, else into bands that share their gutters. */
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

/** Groups of items with a gap of at least `gap` points between them along an axis, in its direction. */
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

/** Joins neighbouring bands that have a gutter at the same place: they are the rows of the same columns. */
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

/** Both stand in the same stretch of the page, so that a heading over the left column alone does not join. */
const spread = (a: readonly Box[], b: readonly Box[]): boolean => {
  const [boxA, boxB] = [boundsOf(a), boundsOf(b)];
  return overlapX(boxA, boxB) > 0.4 * Math.min(width(boxA), width(boxB));
};
