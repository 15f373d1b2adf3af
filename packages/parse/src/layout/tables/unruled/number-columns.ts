/** Divides a column whose cells all hold the same number of aligned figures: narrow columns with small gutters. */
import { cellText } from '../cells/cell-text.ts';
import type { GridCell, Table } from '../table.ts';
import type { Word } from '../../page/page-content.ts';

const FIGURE = /^[(+\-–−±]?[$€£¥]?\d[\d.,'’]*[%‰]?\)?\*?$|^[-–—.…*]{1,3}$/u;
/** Groups of three digits after a space, which may belong to one number: `51 544`. */
const DIGIT_GROUP = /^\d{3}(?:[.,]\d+)?$/;
const LEADING_GROUP = /^[(+\-–−±]?\d{1,3}$/;

const MIN_ROWS = 3;
/** Maximum difference of aligned edges, as a share of the font size. */
const ALIGNMENT = 0.35;
/** Minimum gap, as a share of the font size, between figures that could be groups of digits of one number. */
const MIN_GROUP_GAP = 0.5;

export function withNumberColumns(table: Table): Table {
  let divided = table;
  for (let column = table.columnCount - 1; column >= 0; column--) {
    const parts = partsOf(divided, column);
    if (parts > 1) divided = divideColumn(divided, column, parts);
  }
  return divided;
}

/** Returns the number of columns that the column consists of; 1 unless every cell holds as many aligned figures. */
function partsOf(table: Table, column: number): number {
  const rows = table.cells.filter((cell) => cell.column === column && cell.colSpan === 1 && cell.words.length > 0);
  const [first, ...body] = rows.map(({ words }) => words);
  const parts = body[0]?.length ?? 1;
  if (first === undefined || parts < 2 || body.length < MIN_ROWS) return 1;
  if (!body.every((words) => words.length === parts && words.every(({ text }) => FIGURE.test(text)))) return 1;
  // The heading has a word for each part, or is of another table part and then the parts are unknown.
  if (first.length !== parts || !areOnOneLine(first)) return 1;
  const all = [first, ...body];
  if (!Array.from({ length: parts }, (_, part) => isAligned(body, part)).every(Boolean)) return 1;
  if (!isHeadingAbove(first, body)) return 1;
  return all.every(mayBeOneNumber) && !haveWideGaps(all) ? 1 : parts;
}

const areOnOneLine = (words: readonly Word[]): boolean =>
  words.every((word) => Math.abs(word.baseline - (words[0]?.baseline ?? 0)) < 0.3 * word.size);

/** Whether the part has the same left edge, right edge or centre in all rows. */
function isAligned(rows: readonly (readonly Word[])[], part: number): boolean {
  const words = rows.flatMap((row) => row[part] ?? []);
  const limit = ALIGNMENT * (words[0]?.size ?? 0);
  const spread = (edge: (word: Word) => number): number => Math.max(...words.map(edge)) - Math.min(...words.map(edge));
  return [spread((word) => word.x1), spread((word) => word.x0), spread((word) => (word.x0 + word.x1) / 2)].some(
    (each) => each <= limit,
  );
}

/** Whether each word of the heading is above its part. */
function isHeadingAbove(heading: readonly Word[], body: readonly (readonly Word[])[]): boolean {
  return heading.every((word, part) => {
    const below = body.flatMap((row) => row[part] ?? []);
    return word.x0 < Math.max(...below.map(({ x1 }) => x1)) && word.x1 > Math.min(...below.map(({ x0 }) => x0));
  });
}

const mayBeOneNumber = (words: readonly Word[]): boolean =>
  words.every(({ text }, index) => (index === 0 ? LEADING_GROUP : DIGIT_GROUP).test(text));

const haveWideGaps = (rows: readonly (readonly Word[])[]): boolean =>
  rows.every((words) =>
    words.every((word, index) => index === 0 || word.x0 - (words[index - 1]?.x1 ?? 0) >= MIN_GROUP_GAP * word.size),
  );

function divideColumn(table: Table, column: number, parts: number): Table {
  const cells = table.cells.flatMap((cell): GridCell[] => {
    if (cell.column > column) return [{ ...cell, column: cell.column + parts - 1 }];
    if (cell.column + cell.colSpan <= column) return [cell];
    if (cell.colSpan > 1) return [{ ...cell, colSpan: cell.colSpan + parts - 1 }];
    return Array.from({ length: parts }, (_, part) => {
      const words = cell.words.slice(part, part + 1);
      return { ...cell, column: column + part, words, text: cellText(words) };
    });
  });
  return { ...table, columnCount: table.columnCount + parts - 1, cells };
}
