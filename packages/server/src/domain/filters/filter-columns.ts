/**
 * Builds conditions on columns of the table `documents`. They are true or false, never null, and in a form that the
 * column's index supports (migration 0008). Texts compare by code points; times compare in milliseconds, as they are
 * presented.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ColumnName, Comparison, FilterField, Scalar } from './filter.ts';

type Condition = RawBuilder<SqlBool>;
type Column = FilterField & { kind: 'column' };

interface StoredColumn {
  column: string;
  isNullable: boolean;
  /** Whether the type is `uuid`; all other text columns are of type `text`. */
  isId?: boolean;
}

const COLUMN: Record<ColumnName, StoredColumn> = {
  id: { column: 'documents.id', isNullable: false, isId: true },
  collectionId: { column: 'documents.collection_id', isNullable: false, isId: true },
  parentId: { column: 'documents.parent_id', isNullable: true, isId: true },
  name: { column: 'documents.name', isNullable: false },
  status: { column: 'documents.status', isNullable: false },
  contentType: { column: 'documents.content_type', isNullable: false },
  language: { column: 'documents.language', isNullable: true },
  sha256: { column: 'documents.sha256', isNullable: false },
  sizeBytes: { column: 'documents.size_bytes', isNullable: false },
  pageCount: { column: 'documents.page_count', isNullable: true },
  chunkCount: { column: 'documents.chunk_count', isNullable: false },
  revision: { column: 'documents.revision', isNullable: false },
  searchableRevision: { column: 'documents.searchable_revision', isNullable: true },
  createdAt: { column: 'documents.created_at', isNullable: false },
  modifiedAt: { column: 'documents.modified_at', isNullable: false },
  readyAt: { column: 'documents.ready_at', isNullable: true },
};

/** The canonical spelling of a UUID; another spelling matches no document. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Largest value of a number column (`bigint`). */
const MAX_BIGINT = 2 ** 62;

export const columnExists = ({ name }: Column): Condition =>
  sql<SqlBool>`(${sql.ref(COLUMN[name].column)} is not null)`;

export function columnIsOneOf(column: Column, values: readonly Scalar[]): Condition {
  const given = values.filter((value) => value !== null);
  const tests: Condition[] = [];
  if (given.length < values.length) tests.push(sql`${sql.ref(COLUMN[column.name].column)} is null`);
  if (given.length > 0) tests.push(neverNull(column, isOneOfGiven(column, given)));
  return tests.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(tests, sql` or `)})`;
}

export function columnCompares(column: Column, operator: Comparison, value: string | number): Condition {
  const stored = sql.ref(COLUMN[column.name].column);
  if (column.type === 'time') return neverNull(column, timeCompares(stored, operator, String(value)));
  if (column.type === 'number') return neverNull(column, numberCompares(stored, operator, Number(value)));
  const sign = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }[operator];
  return neverNull(column, sql`(${stored}::text collate "C") ${sign} ${value}::text`);
}

const neverNull = ({ name }: Column, condition: Condition): Condition =>
  COLUMN[name].isNullable ? sql`(${sql.ref(COLUMN[name].column)} is not null and ${condition})` : sql`(${condition})`;

function isOneOfGiven({ name, type }: Column, values: readonly Scalar[]): Condition {
  const stored = sql.ref(COLUMN[name].column);
  if (COLUMN[name].isId === true) {
    const ids = values.filter((value) => typeof value === 'string' && UUID.test(value));
    return sql`${stored} = any(${ids}::uuid[])`;
  }
  if (type === 'number') {
    const numbers = values.map(Number).filter((value) => Number.isInteger(value) && Math.abs(value) < MAX_BIGINT);
    return sql`${stored} = any(${numbers.map(wholeNumber)}::bigint[])`;
  }
  if (type === 'time') {
    const times = values.map(String).toSorted((a, b) => Date.parse(a) - Date.parse(b));
    const [first = '', last = ''] = [times[0], times.at(-1)];
    const between = sql<SqlBool>`${timeCompares(stored, 'gte', first)} and ${timeCompares(stored, 'lte', last)}`;
    return times.length === 1
      ? between
      : sql<SqlBool>`${between} and date_trunc('milliseconds', ${stored}) = any(${times}::timestamptz[])`;
  }
  const texts = values.map(String);
  const isEqual = sql<SqlBool>`${stored} = any(${texts}::text[])`;
  return name === 'name' ? sql`${hasNameOf(texts)} and ${isEqual}` : isEqual;
}

/** Builds the condition that the index on names supports. */
const hasNameOf = (names: readonly string[]): Condition =>
  sql`hashtextextended(documents.name, 0) = any(array(select hashtextextended(n, 0) from unnest(${names}::text[]) as n))`;

/** Stored times have microseconds: a time later than a millisecond is not before the next millisecond. */
function timeCompares(stored: RawBuilder<unknown>, operator: Comparison, value: string): Condition {
  const [from, next] = [sql`${value}::timestamptz`, sql`(${value}::timestamptz + interval '1 millisecond')`];
  return {
    gt: sql<SqlBool>`${stored} >= ${next}`,
    gte: sql<SqlBool>`${stored} >= ${from}`,
    lt: sql<SqlBool>`${stored} < ${from}`,
    lte: sql<SqlBool>`${stored} < ${next}`,
  }[operator];
}

/** Rounds the bound, since stored numbers are integers. */
function numberCompares(stored: RawBuilder<unknown>, operator: Comparison, value: number): Condition {
  const [floor, ceiling] = [wholeNumber(Math.floor(value)), wholeNumber(Math.ceil(value))];
  return {
    gt: sql<SqlBool>`${stored} > ${floor}::bigint`,
    gte: sql<SqlBool>`${stored} >= ${ceiling}::bigint`,
    lt: sql<SqlBool>`${stored} < ${ceiling}::bigint`,
    lte: sql<SqlBool>`${stored} <= ${floor}::bigint`,
  }[operator];
}

const wholeNumber = (value: number): string => String(BigInt(Math.max(-MAX_BIGINT, Math.min(MAX_BIGINT, value))));
