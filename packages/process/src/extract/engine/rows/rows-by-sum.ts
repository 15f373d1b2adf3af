/**
 * Reads texts with amounts that a sum below them adds up, without a header and without quantities: the parts of an
 * insurance bill or of a rent.
 */
import type { Shape } from '../../schema/shape.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { Grid, Segment } from '../document/segments.ts';
import type { Field } from '../fields/fields.ts';
import { fieldFor } from '../fields/meaning.ts';
import { convert, type Conventions } from '../values/convert.ts';
import { numericValue } from '../values/numbers.ts';
import type { ValueSpan } from '../values/value-spans.ts';
import type { Row, TableReading } from './table-reading.ts';

/** Scores of a text and its amount, and of a column that is read by its sum: below one that a header names. */
const ROW_SCORE = 0.75;
const COLUMN_SCORE = 0.4;
const TOLERANCE = 0.005;
const MAX_ROWS = 200;
const MIN_CERTAINTY = 0.9;

interface Entry {
  text: Segment;
  amount: Segment;
  span: ValueSpan;
  value: number;
}

/**
 * Returns the rows above the first sum of the table; null without one. Two amounts other than zero add up to it, or its
 * text names a sum.
 */
export function readBySum(
  grid: Grid,
  fields: readonly Field[],
  isSummary: (texts: readonly string[]) => boolean,
  conventions: Conventions,
): TableReading | null {
  const description = fieldFor(fields, 'description');
  const lineTotal = fieldFor(fields, 'lineTotal');
  if (description === undefined || lineTotal === undefined || grid.rows.length > MAX_ROWS) return null;
  const entries = grid.rows.map((cells) => entryOf(cells, conventions));
  const size = lengthBySum(entries, isSummary);
  const rows = entries.slice(0, size).flatMap((entry) => {
    const row = entry === null ? null : rowOf(entry, description, lineTotal, conventions);
    return row === null ? [] : [row];
  });
  if (rows.length < 2) return null;
  const columns = [description, lineTotal].map((field, index) => ({ field, index, score: COLUMN_SCORE }));
  return { grid, rows, columns, score: columns.length * COLUMN_SCORE };
}

/** Returns the text and the only amount of a row with these two cells. */
function entryOf(cells: readonly (Segment | undefined)[], { decimal }: Conventions): Entry | null {
  const [text, amount, ...others] = cells.filter((cell) => cell !== undefined);
  if (text === undefined || amount === undefined || others.length > 0 || !/\p{L}{3}/u.test(text.text)) return null;
  const [span, ...more] = amount.spans.filter(({ kind, certainty }) => kind === 'amount' && certainty >= MIN_CERTAINTY);
  const value = span?.number === undefined ? null : numericValue(span.number, decimal);
  const isAmount = span !== undefined && more.length === 0 && !/\p{L}{4}/u.test(amount.text);
  return isAmount && value !== null ? { text, amount, span, value } : null;
}

/** Returns the number of entries from the top that the next one adds up; 0 if none does. */
function lengthBySum(entries: readonly (Entry | null)[], isSummary: (texts: readonly string[]) => boolean): number {
  let sum = 0;
  let addends = 0;
  for (const [at, entry] of entries.entries()) {
    if (entry === null) return 0;
    const named = isSummary([entry.text.text]);
    const isSum = at > 1 && Math.abs(entry.value - sum) < TOLERANCE && (addends > 1 || (named && addends > 0));
    if (isSum) return at;
    if (named) return 0;
    sum += entry.value;
    addends += entry.value === 0 ? 0 : 1;
  }
  return 0;
}

function rowOf(
  { text, amount, span }: Entry,
  description: Field,
  lineTotal: Field,
  conventions: Conventions,
): Row | null {
  const own = text.text.trimEnd();
  const name = convert(own, null, description.shape, conventions);
  const value = convert(span.text, span, lineTotal.shape, conventions);
  if (name === undefined || value === undefined) return null;
  const base = { score: ROW_SCORE, shared: false };
  const values = new Map<Shape, Candidate>([
    [description.shape, { ...base, field: description, value: name, segment: text, start: 0, end: own.length }],
    [lineTotal.shape, { ...base, field: lineTotal, value, segment: amount, start: span.start, end: span.end }],
  ]);
  return { values, lists: new Map(), rows: new Map() };
}
