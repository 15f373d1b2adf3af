/** Builds tables without a grid of rules from the words of candidates, and rejects grids of other content. */
import { boundsOf, width, type Box } from '../../geometry.ts';
import { textRows } from '../../lines/text-rows.ts';
import type { Word } from '../../page/page-content.ts';
import { groupBy, median } from '../../statistics.ts';
import type { GridCell, Table } from '../table.ts';
import { holdsPieces } from './sentence-pieces.ts';
import { WIDE_GAP } from './table-candidates.ts';
import { gridFromText, type Separators } from './text-grid.ts';
import { looksNumeric } from './wrapped-rows.ts';

/** Builds the table of a candidate if its cells are aligned well enough. */
export function unruledTable(words: readonly Word[], separators: Separators, ruled: boolean): Table | undefined {
  const table = gridFromText(words, separators, ruled);
  if (table === undefined) return undefined;
  if (proseColumns(table) >= 2 && !(ruled && isHeaded(table, separators))) return undefined;
  if (
    !ruled &&
    (filledShare(table) < MIN_FILLED || isFormula(table) || areEquations(table) || isIndex(table) || holdsPieces(table))
  )
    return undefined;
  return confidence(table) >= (ruled ? 0.45 : 0.6) ? table : undefined;
}

const MAX_HEADING_WORDS = 4;

/** Checks for a short heading over each column, separated by a rule: the rows below are cells of any length. */
function isHeaded(table: Table, { horizontal }: Separators): boolean {
  const heading = table.cells.filter((cell) => cell.row === 0 && cell.text !== '');
  const below = table.cells.filter((cell) => cell.row === 1 && cell.text !== '');
  const isFull = heading.length === table.columnCount && heading.length >= 3 && table.rowCount >= 3;
  if (!isFull || heading.some((cell) => cell.words.length > MAX_HEADING_WORDS)) return false;
  const [bottom, top] = [boundsOf(heading.flatMap((cell) => cell.words)).y1, below.flatMap((cell) => cell.words)];
  return top.length > 0 && horizontal.some((y) => y > bottom - 2 && y < boundsOf(top).y0 + 2);
}

/** Minimum share of filled cells; the axes of charts form grids that are mostly empty. */
const MIN_FILLED = 0.3;

const filledShare = (table: Table): number =>
  table.cells.filter((cell) => cell.text !== '').reduce((sum, cell) => sum + cell.colSpan, 0) /
  (table.rowCount * table.columnCount);

const MATHEMATICS = /[=∑∏∫√∂∈∉∀∃⊂⊆∪∩∇⟨⟩≈≡≠]/u;

/** Detects multi-line formulas, which have columns too. */
function isFormula(table: Table): boolean {
  const filled = table.cells.filter((cell) => cell.text !== '');
  return filled.filter((cell) => MATHEMATICS.test(cell.text)).length > 0.35 * filled.length;
}

/** Matches the number of a displayed equation at the end of its row. */
const EQUATION_NUMBER = /\((?:[A-Z\d]{1,3}\.){0,3}(\d{1,3})\)$/;

/** Detects numbered equations: the last column holds numbers in parentheses that count up, or their ends. */
function areEquations(table: Table): boolean {
  const rows = table.cells
    .filter((cell) => cell.column === table.columnCount - 1 && cell.text !== '')
    .map(({ row }) => table.cells.filter((cell) => cell.row === row));
  const numbers = rows.map((cells) => {
    const text = cells.map((cell) => cell.text.replaceAll(' ', '')).join('');
    return Number(EQUATION_NUMBER.exec(text)?.[1] ?? NaN);
  });
  return numbers.length > 1 && numbers.every((number, index) => number === (numbers[0] ?? NaN) + index);
}

/** Matches an entry of an index: a term, a comma, and its pages. */
const INDEX_ENTRY = /\p{L}.*,\s\d{1,4}(?:\s?[–-]\s?\d{1,4})?(?:,\s\d{1,4}(?:\s?[–-]\s?\d{1,4})?)*$/u;
/** Minimum number of entries, and their minimum share of the cells of each column. */
const MIN_INDEX = 6;
const MIN_INDEX_SHARE = 0.5;

/** Detects an index in several columns: entries with page numbers, in every column. */
function isIndex(table: Table): boolean {
  const filled = table.cells.filter((cell) => cell.text !== '');
  const entries = filled.filter((cell) => INDEX_ENTRY.test(cell.text));
  const columns = [...groupBy(filled, ({ column }) => column).values()];
  const isOf = (column: readonly GridCell[]): boolean =>
    column.filter((cell) => entries.includes(cell)).length >= MIN_INDEX_SHARE * column.length;
  return entries.length >= MIN_INDEX && columns.every(isOf);
}

/** Minimum number of words in a line of running text in a narrow column. */
const PROSE_LINE_WORDS = 3;

/** Counts columns of running text: lines of several words, as wide as the column. */
function proseColumns(table: Table): number {
  let count = 0;
  for (let column = 0; column < table.columnCount; column++) {
    const cells = table.cells.filter((cell) => cell.column === column && cell.colSpan === 1 && cell.words.length > 0);
    const words = cells.reduce((sum, cell) => sum + cell.words.length, 0);
    if (
      words < PROSE_LINE_WORDS * cells.length ||
      cells.filter((cell) => looksNumeric(cell.words)).length >= 0.2 * cells.length
    )
      continue;
    const lines = cells.flatMap((cell) => textRows(cell.words, WIDE_GAP));
    const widest = Math.max(...lines.map(width));
    const full = lines.filter((line) => width(line) > 0.8 * widest).length;
    const typical = median(lines.map((line) => line.segments.reduce((sum, segment) => sum + segment.words.length, 0)));
    if (lines.length >= 4 && typical >= PROSE_LINE_WORDS && full >= 0.5 * lines.length) count++;
  }
  return count;
}

/** Returns 0..1 from column alignment, share of filled cells, and shortness of the cells. */
export function confidence(table: Table): number {
  const filled = table.cells.filter((cell) => cell.text !== '' && cell.colSpan === 1);
  if (filled.length < 4) return 0;
  const multi = rowsWithCells(table, 2) / table.rowCount;
  const aligned = shareAligned(table);
  const others = filled.filter((cell) => cell.column > 0);
  const short = others.filter((cell) => cell.text.length <= 30).length / Math.max(1, others.length);
  const numeric = others.filter((cell) => looksNumeric(cell.words)).length / Math.max(1, others.length);
  const fill = Math.min(1, filled.length / (0.6 * table.rowCount * table.columnCount));
  return 0.25 * multi + 0.3 * aligned + 0.15 * short + 0.15 * fill + 0.15 * Math.min(1, numeric * 2);
}

const rowsWithCells = (table: Table, count: number): number =>
  Array.from({ length: table.rowCount }, (_, row) => row).filter(
    (row) => table.cells.filter((cell) => cell.row === row && cell.text !== '').length >= count,
  ).length;

/** Returns the share of cells aligned to the most common left edge, right edge or centre of their column. */
function shareAligned(table: Table): number {
  let [aligned, total] = [0, 0];
  for (let column = 0; column < table.columnCount; column++) {
    const boxes = table.cells
      .filter((cell) => cell.column === column && cell.colSpan === 1 && cell.words.length > 0)
      .map((cell) => boundsOf(cell.words));
    const edges = [(box: Box) => box.x0, (box: Box) => box.x1, (box: Box) => (box.x0 + box.x1) / 2];
    const best = Math.max(...edges.map((edge) => largestGroup(boxes.map(edge))));
    aligned += boxes.length > 1 ? best : 0;
    total += boxes.length;
  }
  return total === 0 ? 0 : aligned / total;
}

/** Returns the size of the largest group of values within 3 points. */
function largestGroup(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  let best = 0;
  let start = 0;
  sorted.forEach((value, index) => {
    while (value - (sorted[start] ?? value) > 3) start++;
    best = Math.max(best, index - start + 1);
  });
  return best;
}
