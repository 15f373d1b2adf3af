/** Splits a chunk into quotable units: sentences, and table rows with their header. */
import { sentences } from '@quire/text/language/sentences';

export interface Quotable {
  /** `[start, end)` in the chunk's text, without surrounding white space. */
  start: number;
  end: number;
  text: string;
  /** The header line of the table; null for a sentence. */
  header: string | null;
}

/** Separator of table cells: chunks hold a table as one line per row. */
const CELL_BAR = ' | ';

export function quotables(text: string, language: string | null = null): Quotable[] {
  const found: Quotable[] = [];
  let offset = 0;
  let header: string | null = null;
  let inTable = false;
  for (const part of sentencesOrRows(text, language)) {
    const start = offset + part.length - part.trimStart().length;
    const line = part.trim();
    offset += part.length;
    if (line === '') continue;
    const isRow = line.includes(CELL_BAR);
    if (isRow && !inTable) header = line;
    else found.push({ start, end: start + line.length, text: line, header: isRow ? header : null });
    inTable = isRow;
  }
  return found;
}

/** Splits into sentences, except that a line with cell separators is one row. */
function sentencesOrRows(text: string, language: string | null): string[] {
  return text.split(/(?<=\n)/u).flatMap((line) => (line.includes(CELL_BAR) ? [line] : sentences(line, language)));
}
