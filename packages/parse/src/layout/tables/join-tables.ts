/** Joins tables that continue over a page break. */
import { textOf } from '../lines/line.ts';
import type { PageElement, PageLayout, TableElement } from '../page/page-layout.ts';
import type { Table } from './table.ts';

/** Joins a page's first element to the previous page's last one if both are tables with matching columns. */
export function joinTables(layouts: readonly PageLayout[]): void {
  for (let index = layouts.length - 1; index > 0; index--) {
    const [above, below] = [layouts[index - 1], layouts[index]];
    if (above === undefined || below === undefined) continue;
    const last = above.elements.findLast((element) => element.kind !== 'footnote');
    const first = below.elements[0];
    if (!isTable(last) || !isTable(first) || !continues(last.table, first.table)) continue;
    append(last.table, first.table);
    below.elements.splice(below.elements.indexOf(first), 1);
  }
}

const isTable = (element: PageElement | undefined): element is TableElement => element?.kind === 'table';

/** Checks for the same number of columns at about the same positions. */
function continues(above: Table, below: Table): boolean {
  if (above.columnCount !== below.columnCount) return false;
  const tolerance = 0.04 * (above.x1 - above.x0) + 4;
  return Math.abs(above.x0 - below.x0) <= tolerance && Math.abs(above.x1 - below.x1) <= tolerance;
}

function append(above: Table, below: Table): void {
  const repeated = repeatedRows(above, below);
  for (const cell of below.cells) {
    if (cell.row >= repeated) above.cells.push({ ...cell, row: cell.row - repeated + above.rowCount });
  }
  above.rowCount += below.rowCount - repeated;
}

/** Counts the heading rows of the first part that the second part repeats. */
function repeatedRows(above: Table, below: Table): number {
  let row = 0;
  while (row < Math.min(above.rowCount, below.rowCount) - 1 && rowText(above, row) === rowText(below, row)) row++;
  return row;
}

const rowText = (table: Table, row: number): string =>
  table.cells
    .filter((cell) => cell.row === row)
    .map((cell) => textOf(cell.words))
    .join('\u0000');
