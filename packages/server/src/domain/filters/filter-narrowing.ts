/**
 * Derives from a filter the condition that the index on metadata ranges supports (migration 0007). All matching
 * documents fulfil it, and few others. Without the index it is expensive for each document.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { filterCondition, isIndexed, joinedConditions, leadsIntoList } from './filter-sql.ts';
import type { Filter } from './filter.ts';

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

/** Returns null when no index applies, or an index on equality is selective enough. */
export function narrowingCondition(filter: Filter): Condition | null {
  const needsRanges = (part: Filter): boolean =>
    'parts' in part
      ? part.parts.some(needsRanges)
      : (part.kind === 'compare' || part.kind === 'exists') && part.field.kind === 'metadata';
  return needsRanges(filter) && !hasEquality(filter) ? narrowed(filter) : null;
}

/** Returns true if an index on equality covers all matches. */
export const hasEquality = (filter: Filter): boolean =>
  filter.kind === 'and' ? filter.parts.some(isEquality) : isEquality(filter);

const isEquality = (filter: Filter): boolean => filter.kind === 'in' && isIndexed(filter);

function narrowed(filter: Filter): Condition | null {
  switch (filter.kind) {
    case 'and':
      return narrowedAll(filter.parts);
    case 'or': {
      const parts = filter.parts.map(narrowed);
      return parts.includes(null)
        ? null
        : joinedConditions(
            parts.flatMap((part) => part ?? []),
            'or',
          );
    }
    case 'in':
      return isEquality(filter) ? filterCondition(filter) : null;
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
function narrowedAll(filters: readonly Filter[]): Condition | null {
  const equal = filters.filter(isEquality);
  if (equal.length > 0) return joinedConditions(equal.map(filterCondition), 'and');
  const ranges = new Map<string, StepRange>();
  const others: Condition[] = [];
  for (const part of filters) {
    const range = part.kind === 'compare' ? rangeOf(part) : null;
    const other = range === null ? narrowed(part) : null;
    if (other !== null) others.push(other);
    if (range === null) continue;
    const name = JSON.stringify([range.low >= FIRST_DATE, ...range.path]);
    const known = ranges.get(name) ?? range;
    ranges.set(name, { ...range, low: Math.max(range.low, known.low), high: Math.min(range.high, known.high) });
  }
  const all = [...Array.from(ranges.values(), withinSteps), ...others];
  return all.length === 0 ? null : joinedConditions(all, 'and');
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
