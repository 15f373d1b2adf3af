/** Detects lines that continue one cell of a row above, such as a description under an article's name. */
import type { RowSegment, TextRow } from '../../lines/text-rows.ts';

/** Tolerance, in points, for equal left edges. */
const SAME_EDGE = 3;

/** Checks whether `row` is a single segment under a cell (not the first) of one of `rows`, within that cell's width. */
export function continuesCell(row: TextRow, rows: readonly TextRow[]): boolean {
  const [segment, second] = row.segments;
  if (segment === undefined || second !== undefined) return false;
  return rows.some(({ segments }) =>
    segments.some(
      (above, index) => index > 0 && Math.abs(above.x0 - segment.x0) < SAME_EDGE && fits(segment, segments[index + 1]),
    ),
  );
}

const fits = (segment: RowSegment, next: RowSegment | undefined): boolean => next === undefined || segment.x1 < next.x0;
