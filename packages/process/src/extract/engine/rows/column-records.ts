/** Reads tables with a record in each column, such as periods side by side, whose fields are the labels of the rows. */
import type { Shape } from '../../schema/shape.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { Grid } from '../document/segments.ts';
import { contentOf, isFigure } from '../fields/content.ts';
import type { Field } from '../fields/fields.ts';
import { allows } from '../fields/variants.ts';
import type { LabelScorer } from '../labels/label-scorer.ts';
import { wordsOf, wordsOfName } from '../labels/phrase-book.ts';
import type { Conventions } from '../values/convert.ts';
import { readCell } from './read-cell.ts';
import type { CellText } from './split-columns.ts';
import type { Column, Row, TableReading } from './table-reading.ts';

type Line = readonly (CellText | undefined)[];

const HEADER_ROWS = 3;
const MIN_LABEL_SCORE = 0.45;
const MIN_FIT = 0.5;
/** Minimum number of records, and of rows whose labels name fields. */
const MIN_RECORDS = 2;
const MIN_FIELDS = 2;
const KEY_SCORE = 0.8;
/** A year, a quarter or a half of one, or a date, with words such as "Year ended". */
const PERIOD =
  /^(?:\p{L}+\.?\s){0,3}(?:[QHT][1-4]\s?[/-]?\s?|FY\s?|'|’)?(?:(?:19|20)\d{2}|\d{2})(?:\s?[A-Z])?$|^[QHT][1-4]$/u;
const PERIOD_NAME =
  /^(?:year|period|quarter|month|date|fiscal|jahr|zeitraum|quartal|monat|annee|periode|trimestre|ano|periodo)$/;
const ENTITY_NAME = /^(?:title|label|plan|product|option|model|variant|category)$/;

/** Returns null unless a row heads the columns, and labels in the first column name at least two fields. */
export function readByColumn(
  grid: Grid,
  lines: readonly Line[],
  fields: readonly Field[],
  scorer: LabelScorer,
  conventions: Conventions,
): TableReading | null {
  const single = fields.filter(({ list }) => !list);
  for (const [at, header] of lines.slice(0, HEADER_ROWS).entries()) {
    const key = keyOf(header, single, conventions);
    if (key === null) continue;
    const body = lines.slice(at + 1);
    const labelled = labelledRows(
      body,
      single.filter((field) => field !== key.field),
      key.columns,
      scorer,
      conventions,
    );
    if (labelled.length < MIN_FIELDS) continue;
    const rows = key.columns.flatMap((column): Row[] => {
      const values = new Map<Shape, Candidate>();
      const all = [{ field: key.field, cells: header, score: KEY_SCORE }, ...labelled];
      for (const { field, cells, score } of all) add(values, cells[column], field, score, conventions);
      return values.size > 1 ? [{ values, lists: new Map(), rows: new Map() }] : [];
    });
    if (rows.length < MIN_RECORDS) continue;
    const columns = [key, ...labelled].map(({ field, score }): Column => ({ field, index: -1, score }));
    return { grid, rows, columns, score: columns.reduce((sum, { score }) => sum + score, 0) };
  }
  return null;
}

function add(
  values: Map<Shape, Candidate>,
  cell: CellText | undefined,
  field: Field,
  score: number,
  conventions: Conventions,
): void {
  const value = cell === undefined ? undefined : readCell(cell, field, conventions);
  if (cell === undefined || value === undefined) return;
  const { segment, start, end } = cell;
  values.set(field.shape, { field, value, segment, start, end, score, limit: UNCONFIRMED, shared: false });
}

/** Maximum confidence of values that no arithmetic confirms. */
const UNCONFIRMED = 0.85;

interface Key {
  field: Field;
  columns: readonly number[];
  score: number;
}

/** Returns the field that the heads of the columns belong to: a period for periods, a name for words. */
function keyOf(header: Line, fields: readonly Field[], conventions: Conventions): Key | null {
  const heads = header.flatMap((cell, column) => (column === 0 || cell === undefined ? [] : [{ cell, column }]));
  if (heads.length < MIN_RECORDS) return null;
  const arePeriods = heads.every(({ cell }) => isPeriod(cell));
  if (!arePeriods && heads.some(({ cell }) => isPeriod(cell) || isFigure(cell.text))) return null;
  const field = fields.find((one) => isKey(one, arePeriods));
  const areRead = field !== undefined && heads.every(({ cell }) => readCell(cell, field, conventions) !== undefined);
  return areRead ? { field, columns: heads.map(({ column }) => column), score: KEY_SCORE } : null;
}

const isPeriod = ({ text, segment, start, end }: CellText): boolean =>
  PERIOD.test(text.trim()) ||
  segment.spans.some((span) => span.kind === 'date' && span.start >= start && span.end <= end);

function isKey({ name, shape }: Field, ofPeriods: boolean): boolean {
  const words = wordsOfName(name);
  if (ofPeriods) return words.some((word) => PERIOD_NAME.test(word));
  const isName = contentOf(words) === 'letters' || ENTITY_NAME.test(words.at(-1) ?? '');
  return isName && allows(shape, 'string');
}

/** Returns the rows whose label names a field that their cells fit, each field once. */
function labelledRows(
  lines: readonly Line[],
  fields: readonly Field[],
  columns: readonly number[],
  scorer: LabelScorer,
  conventions: Conventions,
): { field: Field; cells: Line; score: number }[] {
  const possible = lines.flatMap((cells) => {
    const [label] = cells;
    if (label === undefined) return [];
    const words = wordsOf(label.text).slice(0, 10);
    return fields.flatMap((field) => {
      const named = scorer.score({ words, distance: 0, weight: 1 }, field);
      const filled = columns.flatMap((column) => cells[column] ?? []);
      const fit = filled.filter((cell) => readCell(cell, field, conventions) !== undefined).length;
      const isUsable = named >= MIN_LABEL_SCORE && fit > 0 && fit >= MIN_FIT * filled.length;
      return isUsable ? [{ field, cells, score: named }] : [];
    });
  });
  const found: { field: Field; cells: Line; score: number }[] = [];
  for (const one of possible.toSorted((a, b) => b.score - a.score))
    if (!found.some(({ field, cells }) => field === one.field || cells === one.cells)) found.push(one);
  return found;
}
