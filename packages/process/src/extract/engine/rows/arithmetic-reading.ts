/** Joins the lines that arithmetic finds in a table with what its header says about their other columns. */
import type { Shape } from '../../schema/shape.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { Field } from '../fields/fields.ts';
import type { Grid, Segment } from '../document/segments.ts';
import type { Conventions } from '../values/convert.ts';
import { rowsByArithmetic, type ArithmeticRow } from './rows-by-arithmetic.ts';
import { CONTRADICTED, type Column, type Row, type TableReading } from './table-reading.ts';

/** Score of a column that arithmetic shows. */
const BY_ARITHMETIC = 0.9;

/**
 * Returns the lines by arithmetic with the other values of the header's rows; null if the header gives all of them. The
 * rows may come from the content of the columns, which says less about factors than a header does.
 */
export function readByArithmetic(
  grid: Grid,
  byHeader: TableReading | null,
  hasHeader: boolean,
  fields: readonly Field[],
  isSummary: (texts: readonly string[]) => boolean,
  conventions: Conventions,
): TableReading | null {
  const rowAt = rowsByPlace(grid, byHeader);
  const found = rowsByArithmetic(grid, fields, isSummary, conventions, hasHeader ? rowAt : new Map());
  if (found.every((line) => isKnown(line, rowAt.get(line.at)))) return null;
  const own = [...new Set(found.flatMap(({ values }) => [...values.keys()]))];
  const others = (byHeader?.columns ?? []).filter(({ field }) => !own.includes(field));
  const columns = [...own.map((field): Column => ({ field, index: -1, score: BY_ARITHMETIC })), ...others];
  return {
    grid,
    rows: found.map((line) => joined(line, rowAt.get(line.at))),
    columns,
    score: columns.reduce((sum, column) => sum + column.score, 0),
  };
}

function rowsByPlace(grid: Grid, reading: TableReading | null): ReadonlyMap<number, Row> {
  const places = new Map<Segment, number>();
  for (const [at, cells] of grid.rows.entries()) for (const cell of cells) if (cell !== undefined) places.set(cell, at);
  const rows = new Map<number, Row>();
  for (const row of reading?.rows ?? []) {
    const [first] = row.values.values();
    const at = first === undefined ? undefined : places.get(first.segment);
    if (at !== undefined) rows.set(at, row);
  }
  return rows;
}

/** Returns whether the header gives all values of the line, and the same numbers. */
const isKnown = ({ values }: ArithmeticRow, row: Row | undefined): boolean =>
  [...values].every(([{ shape }, { value }]) => {
    const known = row?.values.get(shape)?.value;
    return typeof value === 'number' ? known === value : known !== undefined;
  });

/** A text of the header's row is kept where it holds none of the line's numbers. */
function joined({ values, isConfirmed }: ArithmeticRow, row: Row | undefined): Row {
  const numbers = [...values.values()].filter(({ value }) => typeof value === 'number');
  const kept = [...(row?.values ?? [])].filter(([, one]) => !numbers.some((number) => overlap(number, one)));
  const limit = isConfirmed ? {} : { limit: CONTRADICTED };
  const read = [...values].map(([{ shape }, one]): [Shape, Candidate] => [shape, { ...one, ...limit }]);
  const texts = new Set(kept.filter(([, { value }]) => typeof value === 'string').map(([shape]) => shape));
  const added = read.filter(([shape, { value }]) => typeof value === 'number' || !texts.has(shape));
  return { values: new Map([...kept, ...added]), lists: row?.lists ?? new Map(), rows: new Map() };
}

const overlap = (a: Candidate, b: Candidate): boolean => a.segment === b.segment && a.start < b.end && b.start < a.end;
