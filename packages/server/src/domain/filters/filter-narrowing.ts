/**
 * Derives from a filter the condition that the indexes on metadata support: on values (migration 0006) and on ranges
 * (migration 0007). All matching documents fulfil it, and few others. Without the index it is expensive for each
 * document.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { filterCondition, isIndexed, joinedConditions, leadsIntoList, readsMetadata } from './filter-sql.ts';
import type { Filter, Scalar } from './filter.ts';

/** The documents among which a narrowing condition finds candidates. */
export interface Searched {
  workspaceId: string;
  collectionIds: readonly string[];
}

/** Returns the condition for the searchable documents of some collections. */
export type Narrowing = (among: Searched) => RawBuilder<SqlBool>;

type Condition = RawBuilder<SqlBool>;

/** A range of the index's 28-bit steps for the values at a path, as the migration's functions compute them. */
interface StepRange {
  path: readonly string[];
  low: number;
  high: number;
}

/** The step of zero: half of the 28-bit range. */
const ZERO_STEP = 2 ** 27;
const FIRST_DATE = 2 ** 28;
const LAST_DATE = FIRST_DATE + 99_999_999;
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?/;

/** Returns null when no index applies, or the filter has conditions on columns only, which use indexes themselves. */
export function narrowingCondition(filter: Filter): Narrowing | null {
  if (!readsMetadata(filter) || narrowed(filter, NOWHERE) === null) return null;
  return (among) => narrowed(filter, among) ?? sql<SqlBool>`true`;
}

const NOWHERE: Searched = { workspaceId: '', collectionIds: [] };

/** Returns true if an index on equality covers all matches, and the filter has few values. */
export const hasEquality = (filter: Filter): boolean =>
  filter.kind === 'and' ? filter.parts.some(isShortEquality) : isShortEquality(filter);

const isEquality = (filter: Filter): filter is Filter & { kind: 'in' } => filter.kind === 'in' && isIndexed(filter);

/** Maximum number of values that are looked up together. */
const MAX_TOGETHER = 10;

const isShortEquality = (filter: Filter): boolean => isEquality(filter) && filter.values.length <= MAX_TOGETHER;

function narrowed(filter: Filter, among: Searched): Condition | null {
  switch (filter.kind) {
    case 'and':
      return narrowedAll(filter.parts, among);
    case 'or': {
      const parts = filter.parts.map((part) => narrowed(part, among));
      return parts.includes(null)
        ? null
        : joinedConditions(
            parts.flatMap((part) => part ?? []),
            'or',
          );
    }
    case 'in':
      return isEquality(filter) ? lookUp(filter, among) : null;
    case 'compare': {
      if (filter.field.kind === 'column') return filter.field.name === 'createdAt' ? filterCondition(filter) : null;
      const range = rangeOf(filter);
      return range === null ? null : withinSteps(range);
    }
    case 'exists': {
      const { field } = filter;
      if (field.kind === 'column' || leadsIntoList(field.path)) return null;
      return hasTerm(sql`array[hashtextextended(${field.path.join('.')}, 0)]`);
    }
    case 'not':
      return null;
    default:
      return filter satisfies never;
  }
}

/** Narrows a conjunction: by equality if possible, and by both ends of a range together. */
function narrowedAll(filters: readonly Filter[], among: Searched): Condition | null {
  const equal = filters.filter(isEquality);
  if (equal.length > 0)
    return joinedConditions(
      equal.map((part) => lookUp(part, among)),
      'and',
    );
  const ranges = new Map<string, StepRange>();
  const others: Condition[] = [];
  for (const part of filters) {
    const range = part.kind === 'compare' ? rangeOf(part) : null;
    const other = range === null ? narrowed(part, among) : null;
    if (other !== null) others.push(other);
    if (range === null) continue;
    const name = JSON.stringify([range.low >= FIRST_DATE, ...range.path]);
    const known = ranges.get(name) ?? range;
    ranges.set(name, { ...range, low: Math.max(range.low, known.low), high: Math.min(range.high, known.high) });
  }
  const all = [...Array.from(ranges.values(), withinSteps), ...others];
  return all.length === 0 ? null : joinedConditions(all, 'and');
}

function lookUp(filter: Filter & { kind: 'in' }, among: Searched): Condition {
  const { field, values } = filter;
  if (field.kind === 'column') return filterCondition(filter);
  return values.length <= MAX_TOGETHER ? contains(field.path, values) : containsOneOf(field.path, values, among);
}

/** Tests whether the metadata contain one of these values at the path, or a list with one. */
function contains(path: readonly string[], values: readonly Scalar[]): Condition {
  const nested = (leaf: unknown): string =>
    JSON.stringify(path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), leaf));
  const held = values.flatMap((value) => [nested(value), nested([value])]);
  return sql<SqlBool>`(documents.metadata @> any(${held}::jsonb[]))`;
}

/**
 * The same for many values: looks up each alone. PostgreSQL tests what an index finds once more, for all values of a
 * condition: a document of 500 kB and 1,000 values took 0.3 s.
 */
function containsOneOf(path: readonly string[], values: readonly Scalar[], among: Searched): Condition {
  const { workspaceId, collectionIds } = among;
  const nested = path.reduceRight<RawBuilder<unknown>>(
    (inner, part) => sql`jsonb_build_object(${part}::text, ${inner})`,
    sql`held.value`,
  );
  return sql<SqlBool>`documents.key = any(array(
    select found.key from unnest(${values.map((value) => JSON.stringify(value))}::jsonb[]) as given(value)
    cross join lateral (values (given.value), (jsonb_build_array(given.value))) as held(value)
    cross join lateral (
      select key from documents where metadata @> ${nested} and searchable_revision is not null and deleted_at is null
        and workspace_id = ${workspaceId} and collection_id = any(${[...collectionIds]}::uuid[]) offset 0
    ) as found))`;
}

function withinSteps({ path, low, high }: StepRange): Condition {
  return hasTerm(sql`metadata_range_terms(${path.join('.')}::text, ${low}::bigint, ${high}::bigint)`);
}

/** The first part repeats the condition of the partial index. */
function hasTerm(terms: RawBuilder<unknown>): Condition {
  return sql<SqlBool>`(documents.metadata <> '{}' and metadata_terms(documents.metadata) && ${terms})`;
}

function rangeOf({ field, operator, value }: Filter & { kind: 'compare' }): StepRange | null {
  if (field.kind === 'column' || leadsIntoList(field.path)) return null;
  const { path } = field;
  const isLower = operator === 'gt' || operator === 'gte';
  if (typeof value === 'number') {
    const step = stepOf(value);
    return isLower ? { path, low: step, high: FIRST_DATE - 1 } : { path, low: 0, high: step };
  }
  return isLower
    ? { path, low: dateStep(value, '00') ?? FIRST_DATE, high: LAST_DATE }
    : { path, low: FIRST_DATE, high: dateStep(value, '99') ?? LAST_DATE };
}

/** Maps a number to its first 28 bits, preserving order; -0 and 0 have the same step. */
function stepOf(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value + 0);
  const bits = view.getInt32(0);
  return bits < 0 ? ZERO_STEP - 1 - ((bits & 0x7fffffff) >>> 4) : ZERO_STEP + (bits >>> 4);
}

/** Maps the date at the start of a text to a step, with missing parts filled in; undefined without a date. */
function dateStep(text: string, missing: string): number | undefined {
  const [, year, month = missing, day = missing] = DATE.exec(text) ?? [];
  return year === undefined ? undefined : FIRST_DATE + Number(`${year}${month}${day}`);
}
