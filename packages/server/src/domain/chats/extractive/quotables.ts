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

/** A label in front of a sentence: "4. Notice.", "§ 3 Beitrag.", "(b) Late payment:". */
const NUMBERED_LABEL =
  /^(?:(?:§{1,2}|Art(?:icle|ikel|[ií]culo|\.)?|Section|Clause|Ziffer) ?)?(?:\(?\p{Nd}{1,3}(?:\.\p{Nd}{1,2}){0,3}[.)]?|\(?\p{Ll}\)|[IVXLC]{1,5}[.)]) (?:\p{L}[\p{L}'’-]{0,30}[,/&]?(?: (?=\S)|(?=[.:]?$))){1,5}[.:]?$/u;
/** A label of one or two words at the start of a line: "Late payment." */
const PLAIN_LABEL = /^\p{Lu}[\p{L}-]{2,30}(?: \p{L}[\p{L}-]{1,30})?[.:]$/u;
/** The beginning of a unit that has a number of its own. */
const NUMBERED = /^(?:§|\(?\p{Nd}{1,3}[.)]|\(?\p{Ll}\) )/u;

/** Returns the sentences and rows of a text. A label in front of a sentence is a part of it. */
export function quotables(text: string, language: string | null = null): Quotable[] {
  const found = unitsOf(text, language);
  return found.flatMap((unit, index) => {
    const [before, after] = [found[index - 1], found[index + 1]];
    if (after !== undefined && isLabelOf(unit, after, text)) return [];
    if (before === undefined || !isLabelOf(before, unit, text)) return [unit];
    return [{ ...unit, start: before.start, text: text.slice(before.start, unit.end) }];
  });
}

/** Returns whether a unit is a label of the sentence behind it in its line. */
function isLabelOf(unit: Quotable, sentence: Quotable, text: string): boolean {
  if (unit.header !== null || sentence.header !== null || NUMBERED.test(sentence.text)) return false;
  if (text.slice(unit.end, sentence.start).includes('\n')) return false;
  const isAtStart = unit.start === 0 || text[unit.start - 1] === '\n';
  return NUMBERED_LABEL.test(unit.text) || (isAtStart && PLAIN_LABEL.test(unit.text));
}

function unitsOf(text: string, language: string | null): Quotable[] {
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
