/**
 * Bounds the grid of a table by the number of its cells. A few bytes of a file can declare a span over 1,000 columns or
 * 65,534 rows, and everything that lays out the grid works on each of its positions.
 */
import type { TableCell } from './block.ts';

type Rows = readonly (readonly TableCell[])[];

/** Number of grid positions for each cell. A form of 60 columns with three cells in a row has 20. */
const POSITIONS_PER_CELL = 32;
/** Number of positions that every table may have. */
const BASE_POSITIONS = 10_000;
/** Number of steps of the layout for each position: the layout comes before empty columns are left out. */
const STEPS_PER_POSITION = 8;

/** Returns the maximum number of grid positions of a table. */
export const maxGridPositions = (rows: Rows): number =>
  BASE_POSITIONS + POSITIONS_PER_CELL * rows.reduce((sum, row) => sum + row.length, 0);

/**
 * Returns the rows with spans that a grid of at most `maxGridPositions` can hold. A larger table loses the columns in
 * which no cell begins, which changes nothing that a reader sees; if it is still too large, it loses all spans. A table
 * within the limit is returned as it is.
 */
export function boundSpans<Rows extends readonly (readonly TableCell[])[]>(rows: Rows): Rows | TableCell[][] {
  if (!rows.some((row) => row.some(({ colSpan, rowSpan }) => colSpan > 1 || rowSpan > 1))) return rows;
  const limit = maxGridPositions(rows);
  const columns = firstColumns(rows, limit * STEPS_PER_POSITION);
  if (columns === undefined) return withoutSpans(rows);
  if (rows.length * gridWidth(rows, columns) <= limit) return rows;
  const starts = Float64Array.from(new Set(columns.flat())).toSorted();
  return rows.length * starts.length <= limit ? withoutEmptyColumns(rows, columns, starts) : withoutSpans(rows);
}

const widthOf = (colSpan: number): number => (colSpan > 1 ? colSpan : 1);

/** Returns the first column of every cell, by the rules of HTML; undefined if that takes too many steps. */
function firstColumns(rows: Rows, maxSteps: number): number[][] | undefined {
  /** For each column, the first row that no cell above covers. */
  const freeFrom: number[] = [];
  let steps = 0;
  const columns: number[][] = [];
  for (const [row, cells] of rows.entries()) {
    let column = 0;
    const places: number[] = [];
    for (const { colSpan, rowSpan } of cells) {
      for (; (freeFrom[column] ?? 0) > row && steps <= maxSteps; column += 1) steps += 1;
      places.push(column);
      const end = column + widthOf(colSpan);
      if (rowSpan > 1) {
        steps += end - column;
        if (steps > maxSteps) return undefined;
        for (; column < end; column += 1) freeFrom[column] = Math.max(freeFrom[column] ?? 0, row + rowSpan);
      }
      column = end;
    }
    columns.push(places);
  }
  return steps > maxSteps ? undefined : columns;
}

function gridWidth(rows: Rows, columns: readonly (readonly number[])[]): number {
  let width = 0;
  for (const [row, cells] of rows.entries())
    for (const [at, { colSpan }] of cells.entries())
      width = Math.max(width, (columns[row]?.[at] ?? 0) + widthOf(colSpan));
  return width;
}

/** `starts` are the columns in which a cell begins, ascending; each becomes one column. */
function withoutEmptyColumns(rows: Rows, columns: readonly (readonly number[])[], starts: Float64Array): TableCell[][] {
  return rows.map((cells, row) =>
    cells.map((cell, at) => {
      const column = columns[row]?.[at] ?? 0;
      return { ...cell, colSpan: rankOf(starts, column + widthOf(cell.colSpan)) - rankOf(starts, column) };
    }),
  );
}

/** Returns the number of values below `value`. */
function rankOf(values: Float64Array, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? Infinity) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const withoutSpans = (rows: Rows): TableCell[][] =>
  rows.map((row) => row.map((cell) => ({ ...cell, colSpan: 1, rowSpan: 1 })));
