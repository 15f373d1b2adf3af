/** Lines that go on with one cell of a row above: an article's description under its name. */
import type { Chunk, TextRow } from '../rows-of-text.ts';

/** Left edges that differ by less than this (points) are one edge. */
const SAME_EDGE = 3;

/** Whether `row` is one piece of text under a cell of one of `rows`, beyond the first, and no wider than that cell may be. */
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
