/** Detects lines that continue one cell of a row above, such as a description under an article's name. */
import type { Chunk, TextRow } from '../rows-of-text.ts';

/** Tolerance, in points, for equal left edges. */
const SAME_EDGE = 3;

/** Checks whether `row` is a single segment under a cell (not the first) of one of `rows`, within that cell's width. */
export function continuesCell(row: TextRow, rows: readonly TextRow[]): boolean {
  const [chunk, second] = row.chunks;
  if (chunk === undefined || second !== undefined) return false;
  return rows.some(({ chunks }) =>
    chunks.some(
      (above, index) => index > 0 && Math.abs(above.x0 - chunk.x0) < SAME_EDGE && fits(chunk, chunks[index + 1]),
    ),
  );
}

const fits = (chunk: Chunk, next: Chunk | undefined): boolean => next === undefined || chunk.x1 < next.x0;
