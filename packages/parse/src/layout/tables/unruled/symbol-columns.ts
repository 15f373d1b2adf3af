/** Joins currency and percent signs to their numbers, and bullets to their items. */
import { cellText } from '../cells/cell-text.ts';
import type { GridCell, Table } from '../table.ts';

const BEFORE = /^(?:[A-Z]{1,3})?[$€£¥₹]$|^[(+\-–−±~<>≤≥]$/u;
const BULLETS = /^[•▪●○◦■□‣⁃∙](?:\s[•▪●○◦■□‣⁃∙])*$/u;
const DASH = /^[-–−]$/;
const AFTER = /^[%‰°)]{1,2}$/u;

/** Last row in which such symbols may begin; a column with text above is a text column. */
const MAX_HEADING_ROW = 6;

/** Joins columns that contain only such symbols to the column of the numbers. */
export function withoutSymbolColumns(table: Table): Table {
  let joined = table;
  for (let column = table.columnCount - 1; column >= 0; column--) {
    const signs = [BEFORE, BULLETS].some((sign) => holdsSigns(joined, column, sign));
    if (column + 1 < joined.columnCount && signs) joined = joinColumns(joined, column);
    else if (column > 0 && holdsSigns(joined, column, AFTER)) joined = joinColumns(joined, column - 1);
  }
  return joined;
}

/** Checks for a column of symbols only, below optional headings. */
function holdsSigns(table: Table, column: number, sign: RegExp): boolean {
  const cells = table.cells.filter((cell) => cell.column === column && cell.colSpan === 1 && cell.text !== '');
  const first = cells.findIndex((cell) => sign.test(cell.text));
  // A dash as a missing value is below real values.
  const areValues = cells.slice(first).every((cell) => DASH.test(cell.text)) && 2 * first >= cells.length;
  return (
    first >= 0 &&
    !areValues &&
    (cells[first]?.row ?? 0) <= MAX_HEADING_ROW &&
    cells.slice(first).every((cell) => sign.test(cell.text))
  );
}

/** Joins a column to the one on its right. */
export function joinColumns(table: Table, left: number): Table {
  const cells: GridCell[] = [];
  for (const cell of table.cells) {
    const last = cells.at(-1);
    const end = cell.column + cell.colSpan - 1;
    if (cell.column === left + 1 && last?.row === cell.row && last.column + last.colSpan === left + 1) {
      const words = [...last.words, ...cell.words];
      cells[cells.length - 1] = { ...last, colSpan: last.colSpan + cell.colSpan - 1, words, text: cellText(words) };
    } else if (cell.column > left) cells.push({ ...cell, column: cell.column - 1 });
    else cells.push(end > left ? { ...cell, colSpan: cell.colSpan - 1 } : cell);
  }
  return { ...table, columnCount: table.columnCount - 1, cells };
}
