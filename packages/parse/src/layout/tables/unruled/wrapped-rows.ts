/** Joins lines of text to table rows: cells that wrap over several lines become one again. */
import { boundsOf, height, overlapX, width } from '../../geometry.ts';
import type { Word } from '../../page/page-content.ts';
import { median } from '../../statistics.ts';

export interface DraftRow {
  /** Cells with text from left to right; `from` and `to` are column indexes. */
  cells: { from: number; to: number; words: Word[] }[];
  y0: number;
  y1: number;
  baseline: number;
  columnCount: number;
}

/** Share of the rows that rules must separate before rules alone decide where rows end. */
const RULED_ROWS = 0.5;

export function joinWrappedRows(lines: readonly DraftRow[], rules: readonly number[], size: number): DraftRow[] {
  const separated = (above: DraftRow, below: DraftRow): boolean =>
    rules.some((y) => y > above.baseline - 0.3 * size && y < below.baseline - 0.2 * size);
  const pitches = lines.slice(1).map((line, index) => line.baseline - (lines[index]?.baseline ?? 0));
  const pitch = median(pitches.filter((gap) => gap > 0));
  const bands = lines.slice(1).filter((line, index) => separated(lines[index] ?? line, line)).length;
  const ruledRows = bands >= 2 && bands >= RULED_ROWS * (lines.length - 1) * 0.6;
  const spacing: Spacing = { pitch, size, ruledRows, separated: areSeparatedBySpace(lines) };
  const heading = headingLines(lines, pitch);
  const rows: DraftRow[] = [];
  let previous: DraftRow | undefined;
  for (const [index, line] of lines.entries()) {
    const row = rows.at(-1);
    if (
      index > 0 &&
      index < heading &&
      row !== undefined &&
      previous !== undefined &&
      !separated(previous, line) &&
      joinsHeading(row, previous, line, size)
    ) {
      append(row, line);
      previous = line;
      continue;
    }
    const wraps =
      row !== undefined &&
      previous !== undefined &&
      !separated(previous, line) &&
      continues(row, previous, line, spacing);
    if (wraps) append(row, line);
    else rows.push({ ...line, cells: line.cells.map((cell) => ({ ...cell, words: [...cell.words] })) });
    previous = line;
  }
  return rows;
}

const MAX_HEADING_LINES = 5;

/** Counts the lines above the first numeric line if they look like one heading: bold, or more closely spaced. */
function headingLines(lines: readonly DraftRow[], pitch: number): number {
  const end = lines.findIndex((line) =>
    line.cells.some((cell) => cell.from > 0 && looksNumeric(cell.words) && !isYear(cell.words)),
  );
  if (end < 2 || end > MAX_HEADING_LINES) return 0;
  const heading = lines.slice(0, end);
  const bold = heading.every((line) => line.cells.every((cell) => cell.words.every((word) => word.style.bold)));
  const inner = median(heading.slice(1).map((line, index) => line.baseline - (heading[index]?.baseline ?? 0)));
  return bold || inner < 0.92 * pitch ? end : 0;
}

const isYear = (words: readonly Word[]): boolean => words.length === 1 && /^(?:19|20)\d\d$/.test(words[0]?.text ?? '');

/** Returns whether a line continues the heading: no cell spans columns, and cells of a column overlap horizontally. */
function joinsHeading(row: DraftRow, previous: DraftRow, line: DraftRow, size: number): boolean {
  const single = [...row.cells, ...line.cells].every((cell) => cell.from === cell.to);
  const under = line.cells.every((cell) => {
    const above = row.cells.find((other) => other.from === cell.from);
    if (above === undefined) return true;
    const [upper, lower] = [boundsOf(above.words), boundsOf(cell.words)];
    return overlapX(upper, lower) > 0.4 * Math.min(width(upper), width(lower));
  });
  return single && under && line.baseline - previous.baseline <= 1.5 * size;
}

interface Spacing {
  pitch: number;
  size: number;
  ruledRows: boolean;
  /** Whether spacing shows where each row begins. */
  separated: boolean;
}

/** Checks whether `line` continues cells of `row`, whose last line is `previous`. */
function continues(row: DraftRow, previous: DraftRow, line: DraftRow, spacing: Spacing): boolean {
  const gap = line.baseline - previous.baseline;
  if (gap > 1.6 * spacing.size || line.cells.length === 0) return false;
  const onlyFilled = line.cells.every((cell) =>
    row.cells.some((above) => above.from <= cell.from && above.to >= cell.to),
  );
  if (spacing.ruledRows) return (onlyFilled && !hasOwnNumbers(row, line)) || line.cells.length < row.cells.length;
  if (!onlyFilled) return false;
  if (spacing.separated && isSecondLine(row, line)) return true;
  const hasLabel = line.cells.some((cell) => cell.from === 0);
  if (!hasLabel && continuesText(row, line)) return true;
  if (line.cells.some((cell) => looksNumeric(cell.words))) return !hasLabel && wrapsFurther(row, line);
  const tight = gap < 0.85 * spacing.pitch;
  if (hasLabel) return line.cells.length === 1 && row.cells.length > 1 && (tight || startsLower(line.cells[0]?.words));
  return true;
}

/** Number of columns with a number below a number in which a line is a row of its own: numbers do not wrap. */
const OWN_NUMBERS = 2;

function hasOwnNumbers(row: DraftRow, line: DraftRow): boolean {
  const isNumeric = ({ words }: DraftRow['cells'][number]): boolean => looksNumeric(words);
  const below = line.cells.filter(
    (cell) => isNumeric(cell) && row.cells.some((above) => above.from === cell.from && isNumeric(above)),
  );
  return line.cells[0]?.from === 0 && below.length >= OWN_NUMBERS;
}

/** Minimum ratio between the spacing of rows and the spacing of lines within a row. */
const MIN_SPACE_RATIO = 1.2;
const MIN_SECOND_LINES = 2;

/** Checks whether lines without a label are closer to the previous line than lines with one. */
function areSeparatedBySpace(lines: readonly DraftRow[]): boolean {
  const [starts, seconds]: [number[], number[]] = [[], []];
  lines.slice(1).forEach((line, index) => {
    const gap = line.baseline - (lines[index]?.baseline ?? 0);
    (line.cells[0]?.from === 0 ? starts : seconds).push(gap);
  });
  if (seconds.length < MIN_SECOND_LINES || starts.length < MIN_SECOND_LINES) return false;
  // The first row may be directly below its heading.
  return Math.min(...starts.slice(1)) > MIN_SPACE_RATIO * Math.max(...seconds);
}

/** Checks that fewer than half of the row's cells continue. */
const isSecondLine = (row: DraftRow, line: DraftRow): boolean =>
  line.cells[0] !== undefined && line.cells[0].from > 0 && 2 * line.cells.length < row.cells.length;

/** Checks for lower-case continuations without numbers below numbers, as in "the dredging of / 1912". */
function continuesText(row: DraftRow, line: DraftRow): boolean {
  const aboveOf = (cell: DraftRow['cells'][number]): readonly Word[] =>
    row.cells.find((other) => other.from <= cell.from && other.to >= cell.to)?.words ?? [];
  return (
    line.cells.some((cell) => startsLower(cell.words) && aboveOf(cell).length > 1) &&
    line.cells.every((cell) => !looksNumeric(cell.words) || !looksNumeric(aboveOf(cell)))
  );
}

/** Detects a single cell below text that has already wrapped, such as a date under a description. */
function wrapsFurther(row: DraftRow, line: DraftRow): boolean {
  const [cell, second] = line.cells;
  if (cell === undefined || second !== undefined) return false;
  const above = row.cells.find((other) => other.from <= cell.from && other.to >= cell.to);
  return (
    above !== undefined &&
    !looksNumeric(above.words) &&
    height(boundsOf(above.words)) > 1.8 * (above.words[0]?.size ?? 0)
  );
}

const startsLower = (words: readonly Word[] | undefined): boolean => /^\p{Ll}/u.test(words?.[0]?.text ?? '');

/** Checks for cells that mostly consist of digits, or of dashes and similar placeholders. */
export function looksNumeric(words: readonly Word[]): boolean {
  const text = words.map((word) => word.text).join('');
  const digits = text.replace(/[^\d]/g, '').length;
  return digits > 0 ? digits >= 0.4 * text.length : /^[-–—−*.•n/a]{1,4}$/i.test(text);
}

function append(row: DraftRow, line: DraftRow): void {
  for (const cell of line.cells) {
    const above = row.cells.find((candidate) => candidate.from <= cell.from && candidate.to >= cell.to);
    if (above === undefined) row.cells.push({ ...cell, words: [...cell.words] });
    else above.words.push(...cell.words);
  }
  row.cells.sort((a, b) => a.from - b.from);
  row.y1 = Math.max(row.y1, line.y1);
}
