/** Extracts lists of objects from tables. Columns are matched to fields by header and by the form of their cells. */
import type { Shape } from '../../schema/shape.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { Conventions } from '../values/convert.ts';
import { rowFields, type Field } from '../fields/fields.ts';
import { means } from '../fields/meaning.ts';
import { columnsByContent } from './columns-by-content.ts';
import { readByArithmetic } from './arithmetic-reading.ts';
import { readBySum } from './rows-by-sum.ts';
import { PhraseBook, wordsOf } from '../labels/phrase-book.ts';
import { LabelScorer } from '../labels/label-scorer.ts';
import type { Grid, SegmentedDocument } from '../document/segments.ts';
import { listIn, readCell } from './read-cell.ts';
import { readByColumn } from './column-records.ts';
import { splitColumns, type CellText } from './split-columns.ts';
import { CONTRADICTED, type Column, type Row, type TableReading } from './table-reading.ts';

const MIN_HEADER_SCORE = 0.45;
const MAX_ROWS = 50_000;
const HEADER_ROWS = 8;
/** Minimum share of the columns that similar tables have in common. */
const MIN_SHARED_COLUMNS = 0.6;
const ITEM_COLUMN = /^(?:quantity|unitPrice|lineTotal|description|itemCode|position|taxRate)$/;
const SUMMARY =
  /^(?:total|subtotal|tax|discount|shipping|rounding|paid|change|balance|totalQuantity|serviceCharge|tip)$/;

/**
 * Returns the rows of the tables that fit `item` best, in document order: of all tables with the same columns or, with
 * `alike`, with most of them.
 */
export function readRows(
  item: Shape,
  document: SegmentedDocument,
  conventions: Conventions,
  alike = false,
): readonly Row[] {
  const phrases = new PhraseBook();
  const fields = rowFields(item, phrases);
  if (fields.length === 0) return [];
  const scorer = new LabelScorer(phrases, []);
  const read = (grids: readonly Grid[]): TableReading[] =>
    grids.flatMap((grid) => readTable(grid, fields, scorer, phrases, conventions) ?? []);
  const tables = read(document.grids);
  const loose = read(document.alignedGrids);
  const best = (tables.length > 0 ? tables : loose).toSorted((a, b) => b.score - a.score)[0];
  if (best === undefined) return [];
  return [...tables, ...loose]
    .filter((table) => belongsToBest(table, best, loose, alike))
    .flatMap(({ rows }) => rows)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .slice(0, MAX_ROWS);
}

/** Returns whether the table belongs to the best one: it has the same columns, or is aligned text with two of them. */
function belongsToBest(
  table: TableReading,
  best: TableReading,
  loose: readonly TableReading[],
  alike: boolean,
): boolean {
  if (signature(table) === signature(best)) return true;
  const shared = table.columns.filter(({ field }) => best.columns.some((column) => column.field === field));
  if (alike && shared.length >= Math.max(2, MIN_SHARED_COLUMNS * best.columns.length)) return true;
  return loose.includes(table) && shared.length >= 2;
}

/** Returns the position of a row in document order. */
const placeOf = ({ values, lists }: Row): number =>
  Math.min(...[...values.values(), ...[...lists.values()].flat()].map(({ segment }) => segment.index));

const signature = ({ columns }: TableReading): string =>
  columns
    .map(({ field }) => field.nameTarget)
    .toSorted()
    .join(' ');

function readTable(
  grid: Grid,
  fields: readonly Field[],
  scorer: LabelScorer,
  phrases: PhraseBook,
  conventions: Conventions,
): TableReading | null {
  const cells = splitColumns(grid, phrases);
  let best: TableReading | null = null;
  for (const [at, header] of cells.slice(0, HEADER_ROWS).entries()) {
    const body = cells.slice(at + 1);
    const columns = matchColumns(header, body, fields, scorer, conventions);
    const enough = isItemHeader(header, phrases) ? 1 : Math.min(2, fields.length);
    if (columns.length < enough) continue;
    const rows = readBody(body, columns, header, phrases, conventions);
    const score = columns.reduce((sum, column) => sum + column.score, 0) * Math.min(1, 0.6 + 0.2 * rows.length);
    if (rows.length > 0 && (best === null || score > best.score + 0.01)) best = { grid, rows, columns, score };
  }
  const byHeader = best ?? readByContent(grid, cells, fields, phrases, conventions);
  const byColumn = readByColumn(grid, cells, fields, scorer, conventions);
  if (byColumn !== null && (byHeader === null || byColumn.score > byHeader.score)) return byColumn;
  const isSum = (texts: readonly string[]): boolean => isSummary(texts, phrases);
  const byArithmetic = readByArithmetic(grid, byHeader, best !== null, fields, isSum, conventions);
  return byArithmetic ?? byHeader ?? readBySum(grid, fields, isSum, conventions);
}

/** Returns whether at least two columns are typical of invoice lines. */
function isItemHeader(header: readonly (CellText | undefined)[], phrases: PhraseBook): boolean {
  const meant = header.filter((cell) => {
    const words = cell === undefined ? [] : wordsOf(cell.text);
    return words.length > 0 && words.length < 6 && phrases.find(words).some(({ target }) => ITEM_COLUMN.test(target));
  });
  return meant.length >= 2;
}

/** Reads a table without a header of its own by the content of its columns. */
function readByContent(
  grid: Grid,
  cells: readonly (readonly (CellText | undefined)[])[],
  fields: readonly Field[],
  phrases: PhraseBook,
  conventions: Conventions,
): TableReading | null {
  const single = fields.filter(({ list }) => !list);
  const columns = columnsByContent(cells, single);
  const rows = columns.length < 3 ? [] : readBody(cells, columns, [], phrases, conventions);
  if (rows.length < 2) return null;
  return { grid, rows, columns, score: columns.reduce((sum, column) => sum + column.score, 0) };
}

/** Assigns each field at most one column, best score first. */
function matchColumns(
  header: readonly (CellText | undefined)[],
  body: readonly (readonly (CellText | undefined)[])[],
  fields: readonly Field[],
  scorer: LabelScorer,
  conventions: Conventions,
): Column[] {
  const possible = header.flatMap((cell, index) => {
    if (cell === undefined) return [];
    const words = wordsOf(cell.text).slice(0, 10);
    return fields.flatMap((field) => {
      const named = scorer.score({ words, distance: 0, weight: 1 }, field);
      if (named < MIN_HEADER_SCORE) return [];
      const filled = body.flatMap((row) => row[index] ?? []);
      const fit =
        filled.length === 0
          ? 0
          : filled.filter((one) => readCell(one, field, conventions) !== undefined).length / filled.length;
      return fit < 0.3 ? [] : [{ field, index, score: named * (0.6 + 0.4 * fit) }];
    });
  });
  const columns: Column[] = [];
  for (const column of possible.toSorted((a, b) => b.score - a.score || a.index - b.index))
    if (!columns.some(({ field, index }) => field === column.field || index === column.index)) columns.push(column);
  return columns;
}

function readBody(
  body: readonly (readonly (CellText | undefined)[])[],
  columns: readonly Column[],
  header: readonly (CellText | undefined)[],
  phrases: PhraseBook,
  conventions: Conventions,
): Row[] {
  const rows: Row[] = [];
  const title = header.map((cell) => cell?.text ?? '').join('|');
  let summed = false;
  for (const cells of body) {
    const texts = cells.flatMap((cell) => (cell === undefined ? [] : [cell.text]));
    if (texts.length === 0 || cells.map((cell) => cell?.text ?? '').join('|') === title) continue;
    if (isSummary(texts, phrases)) {
      summed ||= rows.length > 0;
      continue;
    }
    const row = new Map<Shape, Candidate>();
    const lists = new Map<Shape, readonly Candidate[]>();
    for (const { field, index, score } of columns) {
      const cell = cells[index];
      if (cell !== undefined && field.list) {
        const listed = listIn(cell, field, score, conventions);
        if (listed.length > 0) lists.set(field.shape, listed);
        continue;
      }
      const value = cell === undefined ? undefined : readCell(cell, field, conventions);
      if (cell === undefined || value === undefined) continue;
      row.set(field.shape, {
        field,
        value,
        segment: cell.segment,
        start: cell.start,
        end: cell.end,
        score,
        shared: false,
      });
    }
    // A line with a single text is a group title or continues the line above.
    const size = row.size + lists.size;
    // Behind a sum only rows of a further group follow, which are as full as those before it.
    const least = summed ? Math.max(2, usualSize(rows)) : Math.min(2, columns.length);
    if (size >= least) rows.push({ values: limited(row), lists, rows: new Map() });
  }
  return rows;
}

/** Maximum confidence in a row whose amount is not known to be its quantity times its price. */
const UNCONFIRMED = 0.85;
const IDENTIFIER = /\s\S*\p{N}{6}/u;

/** Limits the confidence of the values of a row unless its quantity times its price is its amount. */
function limited(row: ReadonlyMap<Shape, Candidate>): Map<Shape, Candidate> {
  const valueOf = (concept: string): number | undefined => {
    const cell = [...row.values()].find(({ field }) => means(field, concept));
    const value = Number(cell?.value ?? NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const [quantity, price, amount] = [valueOf('quantity'), valueOf('unitPrice'), valueOf('lineTotal')];
  let limit: number | undefined = UNCONFIRMED;
  if (quantity !== undefined && price !== undefined && amount !== undefined)
    limit = Math.abs(quantity * price - amount) <= Math.max(0.02, 0.001 * Math.abs(amount)) ? undefined : CONTRADICTED;
  return new Map(
    [...row].map(([shape, candidate]) => {
      // Arithmetic says nothing about a text that holds a number of its own, such as that of an article.
      const own = limit ?? (typeof candidate.value === 'string' && IDENTIFIER.test(candidate.value) ? UNCONFIRMED : 1);
      return [shape, own === 1 ? candidate : { ...candidate, limit: own }];
    }),
  );
}

/** Returns the median number of values of the rows. */
function usualSize(rows: readonly Row[]): number {
  const sizes = rows.map(({ values, lists }) => values.size + lists.size).toSorted((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] ?? 0;
}

function isSummary(texts: readonly string[], phrases: PhraseBook): boolean {
  const label = texts.find((text) => /\p{L}{2}/u.test(text));
  if (label === undefined) return false;
  const words = wordsOf(label).slice(0, 8);
  const wordCount = Math.max(1, words.filter((word) => !/\d|%/.test(word)).length);
  return phrases
    .find(words)
    .some(
      ({ start, end, weight, target }) =>
        start === 0 && weight > 0.9 && (end - start) / wordCount >= 0.5 && SUMMARY.test(target),
    );
}
