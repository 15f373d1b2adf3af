/** Detects headings over several columns: the rule under a heading shows its width. */
import { boundsOf } from '../../geometry.ts';
import type { Rule } from '../../page/page-content.ts';
import { columnExtents, type GridCell, type Table } from '../table.ts';

/** Maximum distance, in font sizes, of a heading's rule below its baseline. */
const RULE_DISTANCE = 1;

export function withHeadingSpans(table: Table, rules: readonly Rule[]): Table {
  const extents = columnExtents(table);
  const cells = [...table.cells];
  const headingRows = Math.min(4, table.rowCount - 1);
  for (const cell of table.cells) {
    if (cell.row >= headingRows || cell.words.length === 0 || cell.rowSpan > 1) continue;
    const box = boundsOf(cell.words);
    const size = cell.words[0]?.size ?? 10;
    const rule = rules.find(
      ({ at, from, to }) =>
        at > box.y1 - 0.5 * size &&
        at < box.y1 + RULE_DISTANCE * size &&
        from <= box.x0 + 2 &&
        to >= box.x1 - 2 &&
        to - from < 0.8 * (table.x1 - table.x0),
    );
    if (rule === undefined) continue;
    const under = extents.flatMap((extent, column) =>
      extent !== undefined && (extent.x0 + extent.x1) / 2 > rule.from && (extent.x0 + extent.x1) / 2 < rule.to
        ? [column]
        : [],
    );
    const [from, to] = [under[0], under.at(-1)];
    if (from !== undefined && to !== undefined && to > from) widen(cells, cell, from, to);
  }
  return { ...table, cells };
}

/** Extends a cell over its empty neighbours from one column to another; does nothing if they contain text. */
function widen(cells: GridCell[], cell: GridCell, from: number, to: number): void {
  const first = Math.min(from, cell.column);
  const last = Math.max(to, cell.column + cell.colSpan - 1);
  const covered = cells.filter(
    (other) => other.row === cell.row && other.column <= last && other.column + other.colSpan - 1 >= first,
  );
  if (covered.some((other) => other.column !== cell.column && other.text !== '')) return;
  for (const other of covered) cells.splice(cells.indexOf(other), 1);
  cells.push({ ...cell, column: first, colSpan: last - first + 1 });
}
