/** Orders the lines of a picture from top to bottom, and joins those of one row to one line if needed. */
import type { LineRegion } from './line-regions.ts';

/** Maximum vertical distance of two lines of a row, as a share of the lower height. */
const SAME_ROW = 0.5;

/** Returns the lines row by row, from left to right in each row. Rows follow the slope of their first line. */
export function rowsOfLines(lines: readonly LineRegion[]): LineRegion[][] {
  const rows: LineRegion[][] = [];
  for (const line of lines.toSorted((a, b) => a.y - b.y)) {
    const row = rows.findLast((members) => members.every((member) => isSameRow(member, line)));
    if (row === undefined) rows.push([line]);
    else row.push(line);
  }
  return rows.map((row) => row.toSorted((a, b) => a.x - b.x));
}

function isSameRow(a: LineRegion, b: LineRegion): boolean {
  const [left, right] = a.x < b.x ? [a, b] : [b, a];
  const expected = left.y + left.slope * (right.x - left.x);
  return Math.abs(expected - right.y) < SAME_ROW * Math.min(a.height, b.height);
}
