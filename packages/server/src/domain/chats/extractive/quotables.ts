/** Splits a chunk into quotable units: sentences, and table rows with their header. */
import { sentences } from '@quire/text/language/sentences';

export interface Quotable {
  /** `[start, end)` in the chunk's text, without surrounding white space. */
  start: number;
  end: number;
  text: string;
  /** The header of the table, one line for each of its rows; null for a sentence. */
  header: string | null;
}

/** Separator of table cells: chunks hold a table as one line per row. */
const CELL_BAR = ' | ';

/** Returns whether a line of a chunk is a row of a table. */
export const isTableRow = (line: string): boolean => line.includes(CELL_BAR) || line.startsWith('| ');

export function quotables(text: string, language: string | null = null): Quotable[] {
  const found: Quotable[] = [];
  let offset = 0;
  let header: string | null = null;
  let inTable = false;
  let inHeader = false;
  for (const part of sentencesOrRows(text, language)) {
    const start = offset + part.length - part.trimStart().length;
    const line = part.trim();
    offset += part.length;
    if (line === '') {
      // A blank line ends a table: the next one has a header of its own.
      inTable &&= !part.includes('\n');
      continue;
    }
    const isRow = isTableRow(line);
    if (isRow && !inTable) {
      header = line;
      inHeader = true;
    } else if (isRow && inHeader && header !== null && isHeaderRow(line)) {
      header = `${header}\n${line}`;
    } else {
      found.push({ start, end: start + line.length, text: line, header: isRow ? header : null });
      inHeader = false;
    }
    inTable = isRow;
  }
  return found;
}

/** A cell that is no label: empty, or a unit in brackets. */
const NO_LABEL = /^(?:\([^()]*\))?$/u;
const YEAR = /^(?:19|20)\p{Nd}{2}$/u;

/** Returns whether a cell has a number that is no part of a date or a name. */
const isValue = (cell: string): boolean => /\p{Nd}/u.test(cell) && !/\p{L}/u.test(cell);

/** Returns whether a row behind the header continues it: it has no label, and no values but years. */
function isHeaderRow(line: string): boolean {
  const [label = '', ...cells] = line.split('|').map((cell) => cell.trim());
  const filled = cells.filter((cell) => cell !== '');
  return NO_LABEL.test(label) && filled.length > 0 && filled.every((cell) => YEAR.test(cell) || !isValue(cell));
}

/** Splits into sentences, except that a line with cell separators is one row. */
function sentencesOrRows(text: string, language: string | null): string[] {
  return text.split(/(?<=\n)/u).flatMap((line) => (isTableRow(line) ? [line] : sentences(line, language)));
}
