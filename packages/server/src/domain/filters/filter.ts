/**
 * The filter language of search and deletion (CONTRACT section 5): `{ field: value }` or `{ field: { operator: value }
 * }` over a document's fields and `metadata.*`, joined by `and`, `or`, `not`; several fields side by side mean `and`. A
 * metadata list fulfils a condition if one of its elements does; a missing value counts as null.
 */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { ApiError, type ErrorDetail, type ErrorLocation } from '../../errors.ts';
import { exceedsBytes } from '../../validation/json-size.ts';
import { limitProblem } from '../../validation/problem.ts';

export type Scalar = string | number | boolean | null;
export type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

export type Filter =
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'in'; field: FilterField; values: Scalar[] }
  | { kind: 'compare'; field: FilterField; operator: Comparison; value: string | number }
  | { kind: 'exists'; field: FilterField };

export type FilterField =
  | { kind: 'column'; name: ColumnName; type: 'text' | 'number' | 'time' }
  | { kind: 'metadata'; path: string[] };

const COLUMNS = {
  id: 'text',
  collectionId: 'text',
  parentId: 'text',
  name: 'text',
  status: 'text',
  contentType: 'text',
  language: 'text',
  sha256: 'text',
  sizeBytes: 'number',
  pageCount: 'number',
  chunkCount: 'number',
  revision: 'number',
  searchableRevision: 'number',
  createdAt: 'time',
  modifiedAt: 'time',
  readyAt: 'time',
} as const;
export type ColumnName = keyof typeof COLUMNS;

const MAX_BYTES = INPUT_LIMITS.filter.max;
/** Maximum numbers of levels and conditions: they bound the statement and the parser's recursion. */
const MAX_CONDITIONS = INPUT_LIMITS.filterClauses.max;
const MAX_DEPTH = INPUT_LIMITS.filterLevels.max;
const MAX_VALUES = INPUT_LIMITS.filterListValues.max;
/** Maximum number of values in all lists of a filter; one statement takes them all. */
const MAX_TOTAL_VALUES = INPUT_LIMITS.filterValues.max;
const MAX_NAME_BYTES = INPUT_LIMITS.fieldName.max;
/** Maximum number of conditions in a filter that an earlier version stored with a chat. */
const MAX_STORED_CONDITIONS = 500;
const MAX_PATH = INPUT_LIMITS.fieldPath.max;
/** Characters that PostgreSQL cannot store in text or JSON. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/iu;
/** First year: PostgreSQL has no year 0. */
const FIRST_YEAR = Date.parse('0001-01-02T00:00:00Z');
/** Last year that PostgreSQL reads in ISO 8601. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');
const WITHOUT_ZONE = /[T ][\d:.]+$/iu;
const COMPARISONS: readonly string[] = ['gt', 'gte', 'lt', 'lte'];
const OPERATORS = ['eq', 'ne', 'in', ...COMPARISONS, 'exists'];

/**
 * Parses a filter. Throws a 422 with the location of every problem; `loc` is the location of the filter in the request.
 * The size of a filter that is `stored` already is not checked: earlier versions took larger ones.
 */
export function parseFilter(value: unknown, loc: ErrorLocation, origin: 'request' | 'stored' = 'request'): Filter {
  const reader = new FilterReader(origin === 'stored' ? MAX_STORED_CONDITIONS : MAX_CONDITIONS);
  const isTooLarge = origin === 'request' && exceedsBytes(value, MAX_BYTES);
  const filter = isTooLarge ? reader.tooLarge(loc) : reader.object(value, loc);
  if (reader.problems.length > 0) throw new ApiError(422, reader.problems);
  return filter;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const NEVER: Filter = { kind: 'or', parts: [] };

class FilterReader {
  readonly problems: ErrorDetail[] = [];
  readonly #maxConditions: number;
  #conditions = 0;
  #values = 0;

  constructor(maxConditions: number) {
    this.#maxConditions = maxConditions;
  }

  tooLarge(loc: ErrorLocation): Filter {
    return this.#beyond(MAX_BYTES, `a filter has at most ${MAX_BYTES} bytes`, loc);
  }

  object(value: unknown, loc: ErrorLocation, depth = 1): Filter {
    if (!isObject(value)) {
      return this.#refuse('dict_type', 'Input should be a valid dictionary', loc, value);
    }
    if (depth > MAX_DEPTH) return this.#beyond(MAX_DEPTH, `a filter is at most ${MAX_DEPTH} levels deep`, loc);
    const parts = Object.entries(value).map(([key, each]) => this.#entry(key, each, [...loc, key], depth));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'and', parts };
  }

  #entry(key: string, value: unknown, loc: ErrorLocation, depth: number): Filter {
    if (key === 'not') return { kind: 'not', part: this.object(value, loc, depth + 1) };
    if (key === 'and' || key === 'or') {
      if (!Array.isArray(value)) return this.#refuse('list_type', 'Input should be a valid list', loc, value);
      if (value.length > this.#maxConditions) return this.#tooMany(loc);
      return { kind: key, parts: value.map((part, index) => this.object(part, [...loc, index], depth + 1)) };
    }
    const excess = excessOf(key);
    if (excess !== undefined) return this.#beyond(excess.limit, excess.error, loc);
    const field = fieldOf(key);
    if (field === undefined) {
      const names = [...Object.keys(COLUMNS), 'metadata.<key>'].join(', ');
      return this.#valueError(`there is no such field; fields are ${names}`, loc, value);
    }
    const operations = isObject(value) ? Object.entries(value) : [['eq', value] as const];
    if (operations.length === 0) return this.#valueError('a condition needs an operator', loc, value);
    const parts = operations.map(([operator, operand]) =>
      this.#condition(field, operator, operand, isObject(value) ? [...loc, operator] : loc),
    );
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'and', parts };
  }

  #condition(field: FilterField, operator: string, operand: unknown, loc: ErrorLocation): Filter {
    this.#conditions += 1;
    const excess = this.#conditions - this.#maxConditions;
    if (excess > 0) return excess === 1 ? this.#tooMany(loc) : NEVER;
    switch (operator) {
      case 'eq':
        return { kind: 'in', field, values: [this.#operand(field, operand, loc)] };
      case 'ne':
        return { kind: 'not', part: { kind: 'in', field, values: [this.#operand(field, operand, loc)] } };
      case 'in': {
        if (!Array.isArray(operand)) return this.#refuse('list_type', 'Input should be a valid list', loc, operand);
        if (operand.length > MAX_VALUES) {
          return this.#beyond(MAX_VALUES, `a list of values has at most ${MAX_VALUES} of them`, loc);
        }
        this.#values += operand.length;
        if (this.#values > MAX_TOTAL_VALUES) {
          return this.#beyond(MAX_TOTAL_VALUES, `a filter has at most ${MAX_TOTAL_VALUES} values`, loc);
        }
        return { kind: 'in', field, values: operand.map((each, at) => this.#operand(field, each, [...loc, at])) };
      }
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte': {
        const problems = this.problems.length;
        const value = this.#operand(field, operand, loc);
        if (typeof value === 'string' || typeof value === 'number') return { kind: 'compare', field, operator, value };
        if (this.problems.length > problems) return NEVER;
        return this.#valueError('only numbers, texts and times have an order', loc, operand);
      }
      case 'exists': {
        if (typeof operand !== 'boolean')
          return this.#refuse('bool_type', 'Input should be a valid boolean', loc, operand);
        return operand ? { kind: 'exists', field } : { kind: 'not', part: { kind: 'exists', field } };
      }
      default:
        return this.#valueError(`there is no such operator; operators are ${OPERATORS.join(', ')}`, loc, operand);
    }
  }

  /** Returns a value that is comparable with the field; times become ISO 8601 in UTC. */
  #operand(field: FilterField, value: unknown, loc: ErrorLocation): Scalar {
    const impossible =
      typeof value === 'string' ? UNSTORABLE.test(value) : typeof value === 'number' && !Number.isFinite(value);
    if (impossible) {
      this.#valueError('no document holds such a value', loc, undefined);
      return null;
    }
    if (field.kind === 'metadata' || value === null) {
      if (isScalar(value)) return value;
      this.#valueError('a value is a text, a number, true, false or null', loc, value);
      return null;
    }
    if (field.type === 'number') {
      if (typeof value === 'number') return value;
      this.#refuse('float_type', 'Input should be a valid number', loc, value);
      return null;
    }
    if (typeof value !== 'string') {
      this.#refuse('string_type', 'Input should be a valid string', loc, value);
      return null;
    }
    if (field.type === 'text') return value;
    const time = TIME.test(value) ? Date.parse(WITHOUT_ZONE.test(value) ? `${value}Z` : value) : Number.NaN;
    if (Number.isNaN(time) || time < FIRST_YEAR || time > LAST_TIME) {
      this.#valueError('a time is written in ISO 8601', loc, value);
      return null;
    }
    return new Date(time).toISOString();
  }

  #tooMany(loc: ErrorLocation): Filter {
    return this.#beyond(this.#maxConditions, `a filter has at most ${this.#maxConditions} conditions`, loc);
  }

  #beyond(limit: number, error: string, loc: ErrorLocation): Filter {
    const { type, msg, ctx } = limitProblem(limit, error).problem;
    return this.#refuse(type, msg, loc, undefined, ctx);
  }

  #valueError(error: string, loc: ErrorLocation, input: unknown): Filter {
    return this.#refuse('value_error', `Value error, ${error}`, loc, input, { error });
  }

  #refuse(type: string, msg: string, loc: ErrorLocation, input: unknown, ctx?: Record<string, unknown>): Filter {
    this.problems.push({
      loc,
      msg,
      type,
      ...(input === undefined ? {} : { input }),
      ...(ctx === undefined ? {} : { ctx }),
    });
    return NEVER;
  }
}

/** Returns why the name of a field is beyond a limit; undefined if it is within all. */
function excessOf(name: string): { limit: number; error: string } | undefined {
  const [, ...path] = name.split('.');
  if (path.length > MAX_PATH) {
    return { limit: MAX_PATH, error: `the path of a field has at most ${MAX_PATH} parts` };
  }
  return path.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES) ? NAME_EXCESS : undefined;
}

const NAME_EXCESS = { limit: MAX_NAME_BYTES, error: `a name in a path has at most ${MAX_NAME_BYTES} bytes` };

function fieldOf(name: string): FilterField | undefined {
  if (Object.hasOwn(COLUMNS, name)) {
    const column = name as ColumnName;
    return { kind: 'column', name: column, type: COLUMNS[column] };
  }
  const [head, ...path] = name.split('.');
  return head === 'metadata' && path.length > 0 && path.every((part) => part !== '' && !UNSTORABLE.test(part))
    ? { kind: 'metadata', path }
    : undefined;
}
