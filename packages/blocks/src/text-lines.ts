/**
 * Line maps: the position on the page of each line of a block's text. They map a range of the text, such as a quote,
 * to the boxes of the lines that contain it.
 */
import type { BlockContent, BoundingBox, TextLine } from './block.ts';

export interface PageBox {
  page: number;
  box: BoundingBox;
}

/**
 * Returns the boxes of the lines that contain `[start, end)` of the block's text, in reading order and on every page
 * they touch. A block without a line map yields its own box; a block without a position, or an empty range, yields
 * none.
 */
export function boxesOfRange(
  { lines, page, bbox }: Pick<BlockContent, 'lines' | 'page' | 'bbox'>,
  start: number,
  end: number,
): PageBox[] {
  if (end <= start) return [];
  if (lines === undefined) return page === undefined || bbox === undefined ? [] : [{ page, box: bbox }];
  const boxes: PageBox[] = [];
  for (const line of linesWithin(lines, start, end)) {
    const last = boxes.at(-1);
    // Ranges within one table cell share its box.
    if (last?.page !== line.page || !isSameBox(last.box, line.box)) boxes.push({ page: line.page, box: line.box });
  }
  return boxes;
}

const isSameBox = (a: BoundingBox, b: BoundingBox): boolean => a.every((edge, index) => edge === b[index]);

/** A range `[start, end)` of a text, in UTF-16 code units. */
interface TextRange {
  start: number;
  end: number;
}

/** Returns the lines that overlap `[start, end)`; finds the first one by binary search. `lines` are in order. */
export function linesWithin<Line extends TextRange>(
  lines: readonly Line[],
  start: number,
  end: number,
): readonly Line[] {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.end ?? Infinity) <= start) low = middle + 1;
    else high = middle;
  }
  let stop = low;
  while (stop < lines.length && (lines[stop]?.start ?? Infinity) < end) stop += 1;
  return lines.slice(low, stop);
}

/** Returns the lines with their offsets increased by `by`. */
export function shiftLines<Line extends TextRange>(lines: readonly Line[], by: number): Line[] {
  return by === 0 ? [...lines] : lines.map((line) => ({ ...line, start: line.start + by, end: line.end + by }));
}

/** Returns the line map of `[start, end)` of a text, with offsets relative to `start`. */
export function sliceLines(lines: readonly TextLine[], start: number, end: number): TextLine[] {
  const sliced: TextLine[] = [];
  for (const line of linesWithin(lines, start, end)) {
    const [from, to] = [Math.max(line.start, start), Math.min(line.end, end)];
    if (from < to) sliced.push({ ...line, start: from - start, end: to - start });
  }
  return sliced;
}
