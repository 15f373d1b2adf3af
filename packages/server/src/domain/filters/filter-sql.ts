/**
 * Translates a filter to a condition on the table `documents`. Every leaf is true or false, never null, so `not` is
 * exact.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { columnCompares, columnExists, columnIsOneOf } from './filter-columns.ts';
import type { Comparison, Filter, FilterField, Scalar } from './filter.ts';

type Condition = RawBuilder<SqlBool>;

const OPERATOR: Record<Comparison, RawBuilder<unknown>> = {
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

export function filterCondition(filter: Filter): Condition {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joinedConditions(filter.parts.map(filterCondition), filter.kind);
    case 'not':
      return sql<SqlBool>`not ${filterCondition(filter.part)}`;
    case 'in':
      return oneOf(filter.field, filter.values);
    case 'compare':
      return compared(filter.field, filter.operator, filter.value);
    case 'exists':
      return filter.field.kind === 'column'
        ? columnExists(filter.field)
        : sql<SqlBool>`(${metadata(filter.field.path)} <> 'null'::jsonb)`;
    default:
      return filter satisfies never;
  }
}

export function joinedConditions(parts: readonly Condition[], by: 'and' | 'or'): Condition {
  if (parts.length === 0) return by === 'and' ? sql<SqlBool>`true` : sql<SqlBool>`false`;
  return sql<SqlBool>`(${sql.join(parts, by === 'and' ? sql` and ` : sql` or `)})`;
}

/**
 * Returns the value at the path, or JSON null. Access key by key takes half the time of a path, but cannot index lists.
 */
function metadata(path: readonly string[]): RawBuilder<unknown> {
  const value = leadsIntoList(path)
    ? sql`documents.metadata #> ${[...path]}::text[]`
    : path.reduce((within, key) => sql`${within} -> ${key}::text`, sql`documents.metadata`);
  return sql`coalesce(${value}, 'null'::jsonb)`;
}

/** Tests the value, or the elements if it is a list. Most values are scalars, which need no subquery per row. */
function someElement(path: readonly string[], test: (value: RawBuilder<unknown>) => RawBuilder<unknown>): Condition {
  const value = metadata(path);
  return sql<SqlBool>`(case jsonb_typeof(${value})
    when 'array' then exists (select from jsonb_array_elements(${value}) as e(value) where ${test(sql`e.value`)})
    else ${test(value)} end)`;
}

/**
 * Tests whether the metadata contain one of these values at the path, or a list with one: supported by the index on all
 * metadata, also for many values. Null is excluded, since it also matches missing values.
 */
function contains(path: readonly string[], values: readonly Scalar[]): Condition {
  const nested = (leaf: unknown): string =>
    JSON.stringify(path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), leaf));
  const held = values.flatMap((value) => [nested(value), nested([value])]);
  return sql<SqlBool>`(documents.metadata @> any(${held}::jsonb[]))`;
}

/** A part of a path that may be a list position. */
const PLACE = /^-?\d+$/;
/** Columns with their own index. */
const LOOKED_UP: ReadonlySet<string> = new Set(['id', 'name', 'parentId']);

/** Returns true if an index supports the condition on these values. */
export function isIndexed({ field, values }: { field: FilterField; values: readonly Scalar[] }): boolean {
  if (values.length === 0 || values.includes(null)) return false;
  return field.kind === 'metadata' ? !leadsIntoList(field.path) : LOOKED_UP.has(field.name);
}

/** Returns true if the path may address a list element, which no index supports. */
export const leadsIntoList = (path: readonly string[]): boolean => path.some((part) => PLACE.test(part));

function oneOf(field: FilterField, values: readonly Scalar[]): Condition {
  if (field.kind === 'column') return columnIsOneOf(field, values);
  const { path } = field;
  if (isIndexed({ field, values })) return contains(path, values);
  const wanted = values.map((value) => JSON.stringify(value));
  return someElement(path, (value) => sql`${value} = any(${wanted}::jsonb[])`);
}

function compared(field: FilterField, operator: Comparison, value: string | number): Condition {
  if (field.kind === 'column') return columnCompares(field, operator, value);
  const sign = OPERATOR[operator];
  // The cast is inside the case, so that only values of the right type reach it.
  return typeof value === 'number'
    ? someElement(
        field.path,
        (each) =>
          sql`case jsonb_typeof(${each}) when 'number' then (${each} #>> '{}')::numeric ${sign} ${String(value)}::numeric else false end`,
      )
    : someElement(
        field.path,
        (each) =>
          sql`case jsonb_typeof(${each}) when 'string' then (${each} #>> '{}') collate "C" ${sign} ${value}::text else false end`,
      );
}
