import type { TableCell } from './block.ts';

export interface GridCell {
  cell: TableCell;
  /** False if a span of another cell covers this position. */
  origin: boolean;
}

/** Maximum number of grid positions; beyond it spans are ignored, because a hostile table could declare billions. */
const MAX_GRID_CELLS = 4_000_000;

/**
 * Lays out the cells on a grid as browsers do: row spans shift later cells to the right and end with the table.
 * Uncovered positions are undefined. Rows may differ in length.
 */
export function tableGrid(rows: readonly (readonly TableCell[])[]): (GridCell | undefined)[][] {
  const grid: (GridCell | undefined)[][] = rows.map(() => []);
  let budget = MAX_GRID_CELLS;
  rows.forEach((row, rowIndex) => {
    const line = grid[rowIndex] ?? [];
    let column = 0;
    for (const cell of row) {
      while (line[column] !== undefined) column += 1;
      const rowSpan = Math.max(1, Math.min(cell.rowSpan, rows.length - rowIndex));
      const colSpan = Math.max(1, cell.colSpan);
      const fits = rowSpan * colSpan <= budget;
      const [height, width] = fits ? [rowSpan, colSpan] : [1, 1];
      budget -= height * width;
      for (let y = 0; y < height; y += 1) {
        const target = grid[rowIndex + y] ?? [];
        for (let x = 0; x < width; x += 1) target[column + x] ??= { cell, origin: y === 0 && x === 0 };
      }
      column += width;
    }
  });
  return grid.map((line) => Array.from(line));
}
