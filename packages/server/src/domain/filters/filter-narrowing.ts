/**
 * What of a filter the index on ranges of metadata can tell (migration 0007): a condition that all documents have that
 * fulfil the filter, and a few others. It costs a lot for each document where no index is used.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { filterCondition, isIndexed, joinedConditions, leadsIntoList } from './filter-sql.ts';
import type { Filter } from './filter.ts';

type Condition = RawBuilder<SqlBool>;

/** Steps of the values at a path, as the functions of the migration count them. */
interface StepRange {
  path: readonly string[];
  low: number;
  high: number;
}

/** Of 28 bits, the sign's half. */
const ZERO_STEP = 2 ** 27;
const FIRST_DATE = 2 ** 28;
const LAST_DATE = FIRST_DATE + 99_999_999;
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?/;

/** Null when no index can tell anything, or one on equality tells enough. */
export function narrowingCondition(filter: Filter): Condition | null {
  const needsRanges = (part: Filter): boolean =>
    'parts' in part
      ? part.parts.some(needsRanges)
      : (part.kind === 'compare' || part.kind === 'exists') && part.field.kind === 'metadata';
  return needsRanges(filter) && !hasEquality(filter) ? narrowed(filter) : null;
}

/** Whether an index on equality tells about all that match. */
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

/** Equality is told best; both ends of a range are told together. */
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

/** The first part is the index's own condition. */
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

/** The first 28 bits of the number, so that they are in its order. There is only one zero. */
function stepOf(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value + 0);
  const bits = view.getInt32(0);
  return bits < 0 ? ZERO_STEP - 1 - ((bits & 0x7fffffff) >>> 4) : ZERO_STEP + (bits >>> 4);
}

/** Of the date that the text begins with. What is missing is filled in; undefined where it begins with none. */
function dateStep(text: string, missing: string): number | undefined {
  const [, year, month = missing, day = missing] = DATE.exec(text) ?? [];
  return year === undefined ? undefined : FIRST_DATE + Number(`${year}${month}${day}`);
}
