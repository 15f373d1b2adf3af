/** Finds the columns of a table from the white space between its words. */
import type { RowSegment, TextRow } from '../../lines/text-rows.ts';
import { looksNumeric } from './wrapped-rows.ts';

/** Minimum gutter width, as a share of the font size. */
const MIN_GUTTER = 0.35;
/** Maximum share of body rows with text in a gutter. */
const MAX_STRAY_SHARE = 0.12;

export interface Column {
  x0: number;
  x1: number;
}

/** Returns the rows with about as many segments as most rows; headings and notes have fewer. */
export function bodyRows(rows: readonly TextRow[]): TextRow[] {
  const counts = rows.map((row) => row.segments.length).toSorted((a, b) => a - b);
  const typical = counts[Math.floor(counts.length * 0.75)] ?? 0;
  return rows.filter((row) => row.segments.length >= Math.max(2, typical * 0.6));
}

/** Returns the columns between the gutters of the body rows; `separators` are rules that always separate columns. */
export function findColumns(rows: readonly TextRow[], separators: readonly number[], size: number): Column[] {
  const columns = freeColumns(rows, separators, size);
  return underHeading(rows, (figures) => freeColumns(figures, separators, size)) ?? columns;
}

/** Minimum number of numeric rows for this rule. */
const MIN_FIGURES = 3;

/**
 * Handles headings that fill the gutters left of right-aligned numbers: returns the columns of the numeric rows alone
 * if each matches one heading segment.
 */
function underHeading(
  [heading, ...figures]: readonly TextRow[],
  columnsOf: (rows: readonly TextRow[]) => Column[],
): Column[] | undefined {
  if (heading === undefined || figures.length < MIN_FIGURES) return undefined;
  const isFigure = (segment: RowSegment): boolean => looksNumeric(segment.words);
  if (
    heading.segments.some(isFigure) ||
    !figures.every((row) => row.segments.every((segment, index) => index === 0 || isFigure(segment)))
  )
    return undefined;
  const columns = columnsOf(figures);
  const isUnder = heading.segments.every((segment, index) => {
    const column = columns[index];
    const [before, after] = [columns[index - 1], columns[index + 1]];
    if (column === undefined) return false;
    return (
      segment.x0 <= column.x1 + segment.x1 - segment.x0 &&
      segment.x0 >= (before?.x1 ?? -Infinity) &&
      segment.x1 <= (after?.x0 ?? Infinity)
    );
  });
  return isUnder && columns.length === heading.segments.length ? columns : undefined;
}

function freeColumns(rows: readonly TextRow[], separators: readonly number[], size: number): Column[] {
  const body = bodyRows(rows);
  const profile = coverage(body.length >= 2 ? body : rows, separators);
  const allowed = Math.floor(Math.max(body.length, 1) * MAX_STRAY_SHARE);
  const columns: Column[] = [];
  for (const stretch of profile) {
    const last = columns.at(-1);
    if (stretch.rows <= allowed) continue;
    const gap = last === undefined ? Infinity : stretch.from - last.x1;
    const ruled = last !== undefined && separators.some((x) => x >= last.x1 - 1 && x <= stretch.from + 1);
    if (last !== undefined && !ruled && gap < MIN_GUTTER * size) last.x1 = stretch.to;
    else columns.push({ x0: stretch.from, x1: stretch.to });
  }
  return columns;
}

interface Stretch {
  from: number;
  to: number;
  rows: number;
}

/** Counts the rows with text over each horizontal range. */
function coverage(rows: readonly TextRow[], separators: readonly number[]): Stretch[] {
  const events: [number, number][] = [];
  for (const row of rows) {
    for (const segment of row.segments) events.push([segment.x0, 1], [segment.x1, -1]);
  }
  for (const x of separators) events.push([x, 0]);
  events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const stretches: Stretch[] = [];
  let rowsHere = 0;
  events.forEach(([x, change], index) => {
    rowsHere += change;
    const next = events[index + 1]?.[0];
    if (next !== undefined && next > x) stretches.push({ from: x, to: next, rows: rowsHere });
  });
  return stretches;
}
