/** Determines the number of header rows of a table. */
import { looksNumeric } from '../unruled/wrapped-rows.ts';
import type { GridCell, Table } from '../table.ts';

const MAX_HEADER_ROWS = 4;

/**
 * Counts the bold rows at the top, or the rows before the first one with numbers. Text tables have one, unless their
 * first row reads like the others.
 */
export function headerRowsOf(table: Table): number {
  const rows = Array.from({ length: Math.min(table.rowCount, MAX_HEADER_ROWS + 1) }, (_, row) =>
    table.cells.filter((cell) => cell.row === row && cell.text !== ''),
  );
  const bold = rows.findIndex((cells) => cells.length > 0 && !cells.every(isBold));
  if (bold > 0 && bold <= MAX_HEADER_ROWS && bold < table.rowCount) return bold;
  const figures = rows.findIndex((cells) =>
    cells.some((cell) => cell.column > 0 && looksNumeric(cell.words) && !isYear(cell)),
  );
  if (figures > 0 && figures <= MAX_HEADER_ROWS) return figures;
  return figures === 0 || readsLikeContent(rows, table) ? 0 : 1;
}

/** A sentence of several words; headings of columns do not end with a full stop. */
const SENTENCE = /\S+\s+\S+\s+\S*[.;!?。]$/u;

/** Checks whether the first row holds a sentence, or is in the monospace font of all of its column. */
function readsLikeContent([first = []]: readonly (readonly GridCell[])[], table: Table): boolean {
  if (first.some(({ text }) => SENTENCE.test(text))) return true;
  return first.some(({ column }) => {
    const own = table.cells.filter((cell) => cell.column === column && cell.text !== '');
    return own.length > 2 && own.every((cell) => cell.words.every(({ style }) => style.monospace));
  });
}

const isBold = (cell: GridCell): boolean => cell.words.every((word) => word.style.bold);
const isYear = (cell: GridCell): boolean => /^(?:FY\s?)?(?:19|20)\d\d(?:[/–-]\d{2,4})?$/.test(cell.text);
