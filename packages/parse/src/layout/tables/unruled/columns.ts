/** Finds the columns of a table from the white space between its words. */
import type { RowSegment, TextRow } from '../../lines/text-rows.ts';
import { isFigure } from './divide-figures.ts';
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
  const isRuled = (left: Column, right: Column): boolean =>
    separators.some((x) => x >= left.x1 - 1 && x <= right.x0 + 1);
  const parts: Column[] = [];
  for (const stretch of profile) {
    const last = parts.at(-1);
    if (stretch.rows <= allowed) continue;
    const part = { x0: stretch.from, x1: stretch.to };
    if (last !== undefined && part.x0 <= last.x1 && !separators.includes(part.x0)) last.x1 = part.x1;
    else parts.push(part);
  }
  const columns: Column[] = [];
  for (const part of parts) {
    const last = columns.at(-1);
    const isNarrow = last !== undefined && part.x0 - last.x1 < MIN_GUTTER * size && !isRuled(last, part);
    if (isNarrow && !holdsFigures(part, body)) last.x1 = part.x1;
    else columns.push({ ...part });
  }
  return columns;
}

/** Checks that a column below the first row holds figures only, in at least `MIN_FIGURES` rows. */
function holdsFigures({ x0, x1 }: Column, rows: readonly TextRow[]): boolean {
  const held = rows.slice(1).flatMap(({ segments }) => segments.filter((other) => other.x1 > x0 && other.x0 < x1));
  return held.length >= MIN_FIGURES && held.every(({ words }) => words.every(isFigure));
}

interface Stretch {
  from: number;
  to: number;
  rows: number;
}

/** Maximum length, in points, by which text extends over the rule beside it, which often ends where figures end. */
const OVERHANG = 1;

/** Returns the segment without what extends over the nearest separators. */
function clipped({ x0, x1 }: Column, separators: readonly number[]): Column {
  const middle = (x0 + x1) / 2;
  const left = separators.find((x) => x > x0 && x < middle && x - x0 <= OVERHANG);
  const right = separators.find((x) => x < x1 && x > middle && x1 - x <= OVERHANG);
  return { x0: left ?? x0, x1: right ?? x1 };
}

/** Counts the rows with text over each horizontal range. */
function coverage(rows: readonly TextRow[], separators: readonly number[]): Stretch[] {
  const events: [number, number][] = [];
  for (const row of rows) {
    for (const segment of row.segments) {
      const { x0, x1 } = clipped(segment, separators);
      events.push([x0, 1], [x1, -1]);
    }
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
