/** Joins a column that was split because its heading is left of its numbers. */
import { boundsOf } from '../../geometry.ts';
import { joinColumns } from './symbol-columns.ts';
import type { GridCell, Table } from '../table.ts';

/** Maximum gap, in points, between the two parts. */
const MAX_GAP = 60;

/** Joins adjacent columns that never have text in the same row. */
export function withoutSplitColumns(table: Table): Table {
  let joined = table;
  for (let left = table.columnCount - 2; left > 0; left--) {
    if (joined.columnCount > 2 && areHalves(inColumn(joined, left), inColumn(joined, left + 1)))
      joined = joinColumns(joined, left);
  }
  return joined;
}

const inColumn = (table: Table, column: number): GridCell[] =>
  table.cells.filter((cell) => cell.column === column && cell.colSpan === 1 && cell.words.length > 0);

function areHalves(left: readonly GridCell[], right: readonly GridCell[]): boolean {
  if (left.length === 0 || right.length === 0) return false;
  const [first, last] = [rowRange(left), rowRange(right)];
  const apart = first.to < last.from || last.to < first.from;
  const [boxLeft, boxRight] = [
    boundsOf(left.flatMap((cell) => cell.words)),
    boundsOf(right.flatMap((cell) => cell.words)),
  ];
  return apart && Math.min(first.from, last.from) <= 1 && boxRight.x0 - boxLeft.x1 < MAX_GAP;
}

const rowRange = (cells: readonly GridCell[]): { from: number; to: number } => ({
  from: Math.min(...cells.map((cell) => cell.row)),
  to: Math.max(...cells.map((cell) => cell.row)),
});
