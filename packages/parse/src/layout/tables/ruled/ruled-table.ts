/** Builds tables from grids of rules. */
import { boundsOf, centreX, centreY, width, type Box } from '../../geometry.ts';
import { characterCount, textOf } from '../../lines/line.ts';
import { listMarker } from '../../lines/list-marker.ts';
import type { Rule, Word } from '../../page/page-content.ts';
import { median } from '../../statistics.ts';
import { textRows, type TextRow } from '../../lines/text-rows.ts';
import { cellText } from '../cells/cell-text.ts';
import type { Lattice, LatticeCell } from './lattice.ts';
import { looksNumeric } from '../unruled/wrapped-rows.ts';
import type { GridCell, Table } from '../table.ts';
import { SEGMENT_GAP, gridFromText, wordsInside } from '../unruled/text-grid.ts';

/** Minimum share of cells with text; charts and page frames are grids too. */
const MIN_FILLED_SHARE = 0.25;
/** Gap, as a share of the font size, at which a spanning cell may be split. */
const SPLIT_GAP = 0.8;
/** Gap, in font sizes, that indicates columns within a cell. */
const ROW_GAP = 1.5;
/** Cell length, in characters, above which a grid is a framed page section, unless it has many cells. */
const MAX_CELL_LENGTH = 1800;

/**
 * Builds the table of a lattice. `rotated` are words that are not upright: cells contain them, but they do not indicate
 * rows.
 */
export function ruledTable(
  lattice: Lattice,
  words: readonly Word[],
  rotated: readonly Word[],
  rules: readonly Rule[],
): Table | undefined {
  const inside = wordsInside(words, lattice);
  if (inside.length < 2) return undefined;
  const table = needsTextRows(lattice, inside)
    ? fromText(lattice, inside, rules)
    : fromCells(lattice, [...inside, ...wordsInside(rotated, lattice)]);
  return table !== undefined && isTable(table) ? table : undefined;
}

const boxOf = (lattice: Lattice, cell: LatticeCell): Box => ({
  x0: lattice.xs[cell.column] ?? 0,
  x1: lattice.xs[cell.column + cell.colSpan] ?? 0,
  y0: lattice.ys[cell.row] ?? 0,
  y1: lattice.ys[cell.row + cell.rowSpan] ?? 0,
});

function fromCells(lattice: Lattice, words: readonly Word[]): Table {
  const boxes = lattice.cells.map((cell) => boxOf(lattice, cell));
  const held: Word[][] = lattice.cells.map(() => []);
  for (const word of words) {
    const index = boxes.findIndex(
      (box) => centreX(word) <= box.x1 && centreX(word) >= box.x0 && centreY(word) <= box.y1 && centreY(word) >= box.y0,
    );
    held[index]?.push(word);
  }
  const cells = lattice.cells.flatMap((cell, index) => splitSpan(lattice, cell, held[index] ?? []));
  return withoutEmptyTracks({
    ...boundsOf([lattice]),
    rowCount: lattice.ys.length - 1,
    columnCount: lattice.xs.length - 1,
    cells,
    ruled: true,
  });
}

/**
 * Splits a spanning cell where all its lines have a gap at a column border; rows under a ruled heading often have no
 * rules.
 */
function splitSpan(lattice: Lattice, cell: LatticeCell, words: Word[]): GridCell[] {
  const whole = (): GridCell[] => [{ ...cell, words, text: cellText(words) }];
  if (cell.colSpan === 1 || words.length < 2) return whole();
  const segments = textRows(words, SPLIT_GAP).flatMap((row) => row.segments);
  const cuts = [cell.column];
  for (let column = cell.column + 1; column < cell.column + cell.colSpan; column++) {
    const x = lattice.xs[column] ?? 0;
    const [from, to] = [lattice.xs[cuts.at(-1) ?? 0] ?? 0, x];
    const free = segments.every((segment) => segment.x1 <= x + 1 || segment.x0 >= x - 1);
    if (
      free &&
      segments.some((segment) => segment.x0 >= from - 1 && segment.x1 <= to + 1) &&
      segments.some((segment) => segment.x0 >= x - 1)
    )
      cuts.push(column);
  }
  if (cuts.length === 1) return whole();
  return cuts.map((column, index) => {
    const colSpan = (cuts[index + 1] ?? cell.column + cell.colSpan) - column;
    const [x0, x1] = [lattice.xs[column] ?? 0, lattice.xs[column + colSpan] ?? 0];
    const part = words.filter((word) => centreX(word) > x0 && centreX(word) <= x1);
    return { ...cell, column, colSpan, words: part, text: cellText(part) };
  });
}

/** Drops rows and columns without text, which come from double rules and margins. */
function withoutEmptyTracks(table: Table): Table {
  const filled = table.cells.filter((cell) => cell.text !== '');
  const rows = keptTracks(
    table.rowCount,
    filled.map((cell) => [cell.row, cell.rowSpan]),
  );
  const columns = keptTracks(
    table.columnCount,
    filled.map((cell) => [cell.column, cell.colSpan]),
  );
  const cells = table.cells.flatMap((cell): GridCell[] => {
    const [row, rowSpan] = shrunk(rows, cell.row, cell.rowSpan);
    const [column, colSpan] = shrunk(columns, cell.column, cell.colSpan);
    return rowSpan > 0 && colSpan > 0 ? [{ ...cell, row, rowSpan, column, colSpan }] : [];
  });
  return { ...table, rowCount: rows.length, columnCount: columns.length, cells };
}

/** Returns the rows or columns in which a cell with text starts. */
function keptTracks(count: number, spans: readonly (readonly [number, number])[]): number[] {
  const starts = new Set(spans.map(([start]) => start));
  return Array.from({ length: count }, (_, track) => track).filter((track) => starts.has(track));
}

function shrunk(kept: readonly number[], start: number, span: number): [number, number] {
  const first = kept.findIndex((track) => track >= start);
  const size = kept.filter((track) => track >= start && track < start + span).length;
  return [Math.max(0, first), size];
}

/** Checks whether rows of text share a cell: side by side in at least two columns, on the same baselines. */
function needsTextRows(lattice: Lattice, words: readonly Word[]): boolean {
  const rows = new Map<number, CellLines[]>();
  for (const cell of lattice.cells) {
    const box = boxOf(lattice, cell);
    const lines = textRows(wordsInside(words, box), SEGMENT_GAP);
    const split = lines.filter((line) => line.segments.length > (isListed(line) ? 2 : 1)).length;
    if (lines.length >= 3 && split >= 0.7 * lines.length) return true;
    rows.set(cell.row, [...(rows.get(cell.row) ?? []), cellLines(lines, width(box))]);
  }
  return [...rows.values()].some((cells) => {
    const tall = cells.filter((cell) => cell.baselines.length >= 3);
    const [first] = tall;
    if (first === undefined || tall.length < 2) return false;
    const numeric = tall.find((cell) => cell.numeric);
    if (numeric !== undefined && tall.filter((cell) => sharesLines(cell.baselines, numeric.baselines)).length >= 2)
      return true;
    const unwrapped = tall.filter((cell) => cell.unwrapped).length >= 0.5 * tall.length;
    return (
      unwrapped &&
      !tall.some((cell) => cell.listed) &&
      tall.every((cell) => sharesLines(cell.baselines, first.baselines))
    );
  });
}

/** Minimum line distance, in font sizes, of lines that are not wrapped text. */
const ROW_PITCH = 1.2;

interface CellLines {
  baselines: number[];
  /** Whether a line is a list item. */
  listed: boolean;
  /** Whether most lines are numbers. */
  numeric: boolean;
  /** Whether no line was wrapped: all are much narrower than the cell and widely spaced. */
  unwrapped: boolean;
}

const isListed = (line: TextRow): boolean =>
  listMarker(textOf(line.segments.flatMap((segment) => segment.words))) !== undefined;

const cellLines = (lines: readonly TextRow[], cellWidth: number): CellLines => ({
  baselines: lines.map((line) => line.baseline),
  listed: lines.some(isListed),
  numeric:
    lines.filter((line) => line.segments.every((segment) => looksNumeric(segment.words))).length >= 0.7 * lines.length,
  unwrapped: lines.every((line, index) => {
    const pitch = line.baseline - (lines[index - 1]?.baseline ?? -Infinity);
    return width(line) < 0.7 * cellWidth && pitch >= ROW_PITCH * line.size;
  }),
});

const sharesLines = (a: readonly number[], b: readonly number[]): boolean =>
  a.filter((y) => b.some((other) => Math.abs(other - y) < 2)).length >= 0.7 * Math.max(a.length, b.length);

/** Builds the table from its text; only the lattice's long rules are used as separators. */
function fromText(lattice: Lattice, words: readonly Word[], rules: readonly Rule[]): Table | undefined {
  const long = (rule: Rule): boolean => {
    const [from, to] = rule.horizontal ? [lattice.x0, lattice.x1] : [lattice.y0, lattice.y1];
    return Math.min(rule.to, to) - Math.max(rule.from, from) >= 0.6 * (to - from);
  };
  const inner = rules.filter((rule) =>
    rule.horizontal
      ? rule.at > lattice.y0 + 2 && rule.at < lattice.y1 - 2
      : rule.at > lattice.x0 + 2 && rule.at < lattice.x1 - 2 && rule.from < lattice.y1 && rule.to > lattice.y0,
  );
  const separators = inner.filter(long);
  const table = gridFromText(
    words,
    {
      vertical: separators.filter((rule) => !rule.horizontal).map((rule) => rule.at),
      horizontal: separators.filter((rule) => rule.horizontal).map((rule) => rule.at),
    },
    true,
  );
  return (
    table && { ...table, ...boundsOf([table, { x0: lattice.x0, y0: lattice.y0, x1: lattice.x1, y1: lattice.y1 }]) }
  );
}

/** Maximum cell length, in characters, of a single-column table; longer text is a box with a title. */
const MAX_SINGLE_LENGTH = 200;
/** Minimum width, in points, of a single-column table; narrower ones are chart boxes. */
const MIN_SINGLE_WIDTH = 200;

/** Checks for one column of framed rows, each without columns of its own. */
function isSingleColumn(table: Table, filled: readonly GridCell[]): boolean {
  if (table.columnCount !== 1 || table.rowCount < 2 || filled.length < table.rowCount) return false;
  if (width(table) < MIN_SINGLE_WIDTH) return false;
  return filled.every(
    ({ words }) =>
      characterCount(words) <= MAX_SINGLE_LENGTH &&
      textRows(words, ROW_GAP).every((row) => row.segments.length <= (isListed(row) ? 2 : 1)),
  );
}

function isTable(table: Table): boolean {
  const filled = table.cells.filter((cell) => cell.text !== '');
  if (isSingleColumn(table, filled)) return true;
  if (table.columnCount < 2 || table.rowCount < 2 || filled.length < 3) return false;
  if (filled.length < MIN_FILLED_SHARE * table.cells.length) return false;
  const lengths = filled.map((cell) => characterCount(cell.words));
  return Math.max(...lengths) <= MAX_CELL_LENGTH || median(lengths) > MAX_CELL_LENGTH / 20;
}
