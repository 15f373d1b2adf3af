/**
 * The filter language of search and deletion (CONTRACT section 5): `{ field: value }` or `{ field: { operator: value }
 * }` over a document's fields and `metadata.*`, joined by `and`, `or`, `not`; several fields side by side mean `and`. A
 * metadata list fulfils a condition if one of its elements does; a missing value counts as null.
 */
import { ApiError, type ErrorDetail, type ErrorLocation } from '../../errors.ts';

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

/** Maximum numbers of levels and conditions: they bound the statement and the parser's recursion. */
const MAX_CONDITIONS = 500;
const MAX_DEPTH = 20;
const MAX_VALUES = 1000;
/** Maximum number of values in all lists of a filter; one statement takes them all. */
const MAX_TOTAL_VALUES = 10_000;
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
 */
export function parseFilter(value: unknown, loc: ErrorLocation): Filter {
  const reader = new FilterReader();
  const filter = reader.object(value, loc);
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
  #conditions = 0;
  #values = 0;

  object(value: unknown, loc: ErrorLocation, depth = 1): Filter {
    if (!isObject(value)) {
      return this.#refuse('dict_type', 'Input should be a valid dictionary', loc, value);
    }
    if (depth > MAX_DEPTH) return this.#valueError(`a filter is at most ${MAX_DEPTH} levels deep`, loc, undefined);
    const parts = Object.entries(value).map(([key, each]) => this.#entry(key, each, [...loc, key], depth));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'and', parts };
  }

  #entry(key: string, value: unknown, loc: ErrorLocation, depth: number): Filter {
    if (key === 'not') return { kind: 'not', part: this.object(value, loc, depth + 1) };
    if (key === 'and' || key === 'or') {
      if (!Array.isArray(value)) return this.#refuse('list_type', 'Input should be a valid list', loc, value);
      if (value.length > MAX_CONDITIONS) return this.#tooMany(loc);
      return { kind: key, parts: value.map((part, index) => this.object(part, [...loc, index], depth + 1)) };
    }
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
    if (this.#conditions > MAX_CONDITIONS) return this.#conditions === MAX_CONDITIONS + 1 ? this.#tooMany(loc) : NEVER;
    switch (operator) {
      case 'eq':
        return { kind: 'in', field, values: [this.#operand(field, operand, loc)] };
      case 'ne':
        return { kind: 'not', part: { kind: 'in', field, values: [this.#operand(field, operand, loc)] } };
      case 'in': {
        if (!Array.isArray(operand)) return this.#refuse('list_type', 'Input should be a valid list', loc, operand);
        if (operand.length > MAX_VALUES) {
          return this.#valueError(`a list of values has at most ${MAX_VALUES} of them`, loc, undefined);
        }
        this.#values += operand.length;
        if (this.#values > MAX_TOTAL_VALUES) {
          return this.#valueError(`a filter has at most ${MAX_TOTAL_VALUES} values`, loc, undefined);
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
    return this.#valueError(`a filter has at most ${MAX_CONDITIONS} conditions`, loc, undefined);
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
