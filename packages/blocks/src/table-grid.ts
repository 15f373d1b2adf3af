import type { TableCell } from './block.ts';
import { boundSpans } from './table-spans.ts';

export interface GridCell {
  cell: TableCell;
  /** False if a span of another cell covers this position. */
  origin: boolean;
}

/**
 * Lays out the cells on a grid as browsers do: row spans shift later cells to the right and end with the table.
 * Uncovered positions are undefined. Rows may differ in length. Spans that would make the grid much larger than the
 * number of cells are reduced (`boundSpans`).
 */
export function tableGrid(rows: readonly (readonly TableCell[])[]): (GridCell | undefined)[][] {
  const bounded = boundSpans(rows);
  const grid: (GridCell | undefined)[][] = bounded.map(() => []);
  bounded.forEach((row, rowIndex) => {
    const line = grid[rowIndex] ?? [];
    let column = 0;
    for (const cell of row) {
      while (line[column] !== undefined) column += 1;
      const height = cell.rowSpan > 1 ? Math.min(cell.rowSpan, rows.length - rowIndex) : 1;
      const width = cell.colSpan > 1 ? cell.colSpan : 1;
      for (let y = 0; y < height; y += 1) {
        const target = grid[rowIndex + y] ?? [];
        for (let x = 0; x < width; x += 1) target[column + x] ??= { cell, origin: y === 0 && x === 0 };
      }
      column += width;
    }
  });
  return grid.map((line) => Array.from(line));
}

/** Number of characters that a table of any size may repeat. */
const BASE_REPEATED_CHARACTERS = 10_000;

/**
 * Returns whether a covered position may repeat the text of its cell: texts of at most `maxLength` UTF-16 units, until
 * the repetitions are 10,000 units longer than the table's own text. Call it once for each position.
 */
export function repeatedTexts(
  rows: readonly (readonly TableCell[])[],
  maxLength: number,
): (position: GridCell) => boolean {
  let left = BASE_REPEATED_CHARACTERS;
  for (const row of rows) for (const { text } of row) left += text.length;
  return ({ cell: { text } }) => {
    if (text.length > maxLength || text.length > left) return false;
    left -= text.length;
    return true;
  };
}
