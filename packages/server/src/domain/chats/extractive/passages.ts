/** A chunk as what can be quoted of it: sentences, and rows of tables with the header they belong to. */
import { sentences } from '@quire/text/chunk/split-text';

export interface Quotable {
  /** `[start, end)` in the chunk's text, without white space around it. */
  start: number;
  end: number;
  text: string;
  /** Of a table's row: the line that names the columns. */
  header: string | null;
}

/** Tables stand in chunks as a line a row, with bars between the cells (see `table-passage.ts`). */
const CELL_BAR = ' | ';

export function quotables(text: string): Quotable[] {
  const found: Quotable[] = [];
  let offset = 0;
  let header: string | null = null;
  let inTable = false;
  for (const part of sentencesOrRows(text)) {
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

/** Lines with bars are one row each, whatever full stops their cells hold. */
function sentencesOrRows(text: string): string[] {
  return text.split(/(?<=\n)/u).flatMap((line) => (line.includes(CELL_BAR) ? [line] : sentences(line)));
}
