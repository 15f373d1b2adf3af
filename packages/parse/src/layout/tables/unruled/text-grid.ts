/**
 * Builds the grid of a table whose rules are incomplete: columns from white space, rows from lines of text, both
 * separated by the existing rules.
 */
import { cellRows } from './divide-figures.ts';
import { boundsOf, centreX, type Box } from '../../geometry.ts';
import { isRightToLeft } from '../../lines/line.ts';
import type { Word } from '../../page/page-content.ts';
import { median } from '../../statistics.ts';
import type { RowSegment, TextRow } from '../../lines/text-rows.ts';
import { cellText } from '../cells/cell-text.ts';
import { findColumns, type Column } from './columns.ts';
import { joinWrappedRows, type DraftRow } from './wrapped-rows.ts';
import { withSpannedLabels } from '../cells/spanned-labels.ts';
import { withNumberColumns } from './number-columns.ts';
import { withoutSplitColumns } from './split-columns.ts';
import { withoutSymbolColumns } from './symbol-columns.ts';
import { emptyCell, type GridCell, type Table } from '../table.ts';

/** Gap, as a share of the font size, that separates the cells of a row. */
export const SEGMENT_GAP = 0.6;

export interface Separators {
  vertical: readonly number[];
  horizontal: readonly number[];
}

/** Builds a table over `words`; undefined if they do not form two columns and two rows. */
export function gridFromText(words: readonly Word[], separators: Separators, ruled: boolean): Table | undefined {
  const rows = cellRows(words, SEGMENT_GAP).map((row) => splitAt(row, separators.vertical));
  const size = median(words.map((word) => word.size));
  const columns = usedColumns(findColumns(rows, separators.vertical, size), rows, size);
  if (columns.length < 2 || rows.length < 2) return undefined;
  const drafts = withoutFrameText(
    joinWrappedRows(
      rows.map((row) => draftRow(row, columns)),
      separators.horizontal,
      size,
    ),
  );
  if (drafts.length < 2) return undefined;
  const cells = drafts.flatMap((draft, row) => cellsOf(draft, row));
  const box = boundsOf(drafts.flatMap((draft) => draft.cells.flatMap((cell) => cell.words)));
  const table: Table = { ...box, rowCount: drafts.length, columnCount: columns.length, cells, ruled };
  const whole = withSpannedLabels(withNumberColumns(withoutSplitColumns(withoutSymbolColumns(table))));
  return whole.columnCount < 2 ? undefined : whole;
}

/** Number of words that makes a line running text. */
const PROSE_WORDS = 8;

/** Drops titles above and notes below (lines across all columns), which frames and rules often enclose. */
function withoutFrameText(rows: readonly DraftRow[]): DraftRow[] {
  const isText = ({ cells: [cell, second], columnCount }: DraftRow): boolean =>
    cell !== undefined &&
    second === undefined &&
    cell.to - cell.from + 1 >= Math.max(2, columnCount - 1) &&
    cell.words.length >= PROSE_WORDS;
  const first = rows.findIndex((row) => !isText(row));
  const last = rows.findLastIndex((row) => !isText(row));
  return first < 0 ? [] : rows.slice(first, last + 1);
}

/** Splits segments at vertical rules. */
function splitAt(row: TextRow, separators: readonly number[]): TextRow {
  if (separators.length === 0) return row;
  const segments = row.segments.flatMap((segment) => {
    const parts = new Map<number, Word[]>();
    for (const word of segment.words) {
      const side = separators.filter((x) => centreX(word) > x).length;
      parts.set(side, [...(parts.get(side) ?? []), word]);
    }
    return [...parts.values()].map((words) => ({ ...boundsOf(words), words }));
  });
  return { ...row, segments };
}

/** Drops columns with a single segment close to its neighbour, which is a wide space and not a column. */
function usedColumns(columns: Column[], rows: readonly TextRow[], size: number): Column[] {
  if (rows.length < 4) return columns;
  const uses = columns.map(() => 0);
  for (const segment of rows.flatMap((row) => row.segments)) {
    const [from, to] = columnsUnder(segment, columns);
    if (from === to) uses[from] = (uses[from] ?? 0) + 1;
  }
  return columns.filter((column, index) => {
    if (isWideSpace(rows, columns, index, size)) return false;
    const gap = Math.min(
      column.x0 - (columns[index - 1]?.x1 ?? -Infinity),
      (columns[index + 1]?.x0 ?? Infinity) - column.x1,
    );
    return (uses[index] ?? 0) > 1 || gap > 1.5 * size;
  });
}

/** Maximum share of rows with such a gap, and maximum gap, in font sizes, in a stretched (justified) line. */
const JUSTIFIED_ROWS = 0.3;
const JUSTIFIED_GAP = 1.2;

const hasWord = (segment: RowSegment): boolean => segment.words.some((word) => /\p{L}{2}/u.test(word.text));

/** Detects words of justified lines: without a heading, always directly after text of the previous column. */
function isWideSpace(rows: readonly TextRow[], columns: readonly Column[], index: number, size: number): boolean {
  if (index === 0) return false;
  let count = 0;
  for (const [at, { segments }] of rows.entries()) {
    const own = segments.findIndex((segment) => columnsUnder(segment, columns)[0] === index);
    const [segment, before] = [segments[own], segments[own - 1]];
    if (segment === undefined) continue;
    if (at === 0 || before === undefined || columnsUnder(before, columns)[1] !== index - 1) return false;
    if (segment.x0 - before.x1 > JUSTIFIED_GAP * size || ![before, segment].every(hasWord)) return false;
    count++;
  }
  return count <= JUSTIFIED_ROWS * rows.length;
}

function draftRow(row: TextRow, columns: readonly Column[]): DraftRow {
  const cells: DraftRow['cells'] = [];
  for (const segment of row.segments.flatMap((part) => partsOf(part, columns))) {
    const [from, to] = columnsUnder(segment, columns);
    const last = cells.at(-1);
    if (last !== undefined && from <= last.to) {
      last.words.push(...segment.words);
      last.to = Math.max(last.to, to);
    } else {
      cells.push({ from, to, words: [...segment.words] });
    }
  }
  return { cells, y0: row.y0, y1: row.y1, baseline: row.baseline, columnCount: columns.length };
}

/** Splits a segment between words of different columns if neither crosses the gutter. */
function partsOf(segment: RowSegment, columns: readonly Column[]): RowSegment[] {
  if (segment.words.length === 1) return [segment];
  const parts: Word[][] = [];
  let lastColumn = -1;
  for (const word of segment.words) {
    const [from, to] = columnsUnder(word, columns);
    const part = parts.at(-1);
    const previous = part?.at(-1);
    const gap = previous === undefined ? Infinity : word.x0 - previous.x1;
    if (part === undefined || (from > lastColumn && gap > 0.35 * word.size)) parts.push([word]);
    else part.push(word);
    lastColumn = to;
  }
  if (parts.length < 2) return [segment];
  return parts.map((words) => ({ ...boundsOf(words), words }));
}

/** Returns the first and last column that a segment substantially covers; the nearest one if it covers none. */
function columnsUnder(box: Box, columns: readonly Column[]): [number, number] {
  let [from, to] = [-1, -1];
  for (let index = 0; index < columns.length; index++) {
    const { x0, x1 } = columns[index] ?? { x0: 0, x1: 0 };
    const common = Math.min(box.x1, x1) - Math.max(box.x0, x0);
    if (common <= Math.min(0.3 * (x1 - x0), 0.22 * (box.x1 - box.x0))) continue;
    if (from < 0) from = index;
    to = index;
  }
  if (from >= 0) return [from, to];
  const distances = columns.map((column) => Math.abs((column.x0 + column.x1) / 2 - centreX(box)));
  const nearest = distances.indexOf(Math.min(...distances));
  return [nearest, nearest];
}

function cellsOf(draft: DraftRow, row: number): GridCell[] {
  const cells: GridCell[] = [];
  let next = 0;
  for (const cell of draft.cells) {
    while (next < cell.from) cells.push(emptyCell(row, next++));
    const words = inReadingDirection(cell.words);
    cells.push({
      row,
      column: cell.from,
      rowSpan: 1,
      colSpan: cell.to - cell.from + 1,
      words,
      text: cellText(words),
    });
    next = cell.to + 1;
  }
  while (next < draft.columnCount) cells.push(emptyCell(row, next++));
  return cells;
}

/** Reverses the words of right-to-left text line by line, because rows are ordered left to right. */
function inReadingDirection(words: Word[]): Word[] {
  if (words.length < 2 || !isRightToLeft(words)) return words;
  return words.toSorted((a, b) =>
    Math.abs(a.baseline - b.baseline) > 0.5 * a.size ? a.baseline - b.baseline : b.x0 - a.x0,
  );
}

/** Returns the words whose centre is in a box, in drawing order. */
export function wordsInside(words: readonly Word[], { x0, y0, x1, y1 }: Box): Word[] {
  return words.filter((word) => {
    const x = (word.x0 + word.x1) / 2;
    const y = (word.y0 + word.y1) / 2;
    return x >= x0 && x <= x1 && y >= y0 && y <= y1;
  });
}
