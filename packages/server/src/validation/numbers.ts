/**
 * Reads numbers and booleans with pydantic's rules and messages: in its lax mode from the text of a query, in its
 * strict mode from JSON, where a string is neither a number nor a boolean.
 */
import { problem, type Parsed } from './problem.ts';

/** Largest value of an `integer` column in PostgreSQL. */
export const MAX_INT4 = 2 ** 31 - 1;

export interface Bounds {
  ge?: number | undefined;
  le?: number | undefined;
  gt?: number | undefined;
  lt?: number | undefined;
}

const INTEGER_TEXT = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;
/** Maximum number of digits that Python converts to an integer. */
const MAX_INTEGER_DIGITS = 4300;
/** Bound of pydantic's 64-bit integers. */
const MAX_INTEGER = 2 ** 63;

const unparsableInteger = problem(
  'int_parsing',
  'Input should be a valid integer, unable to parse string as an integer',
);
const oversizedInteger = problem(
  'int_parsing_size',
  'Unable to parse input string as an integer, exceeded maximum size',
);

function integerFromNumber(value: number): Parsed<number> {
  if (!Number.isInteger(value)) {
    return problem('int_from_float', 'Input should be a valid integer, got a number with a fractional part');
  }
  return Math.abs(value) >= MAX_INTEGER ? oversizedInteger : { value };
}

function integerFromText(value: string): Parsed<number> {
  const text = value.trim();
  if (!INTEGER_TEXT.test(text)) return unparsableInteger;
  if (text.length > MAX_INTEGER_DIGITS) return oversizedInteger;
  return { value: Number(text.replaceAll('_', '')) + 0 };
}

/** Reads an integer from JSON. */
export function parseInteger(value: unknown, bounds: Bounds = {}): Parsed<number> {
  if (typeof value !== 'number') return problem('int_type', 'Input should be a valid integer');
  const parsed = integerFromNumber(value);
  return 'value' in parsed ? checkBounds(parsed.value, bounds) : parsed;
}

/** Reads an integer from the text of a query. */
export function parseQueryInteger(value: unknown, bounds: Bounds = {}): Parsed<number> {
  if (typeof value !== 'string') return parseInteger(value, bounds);
  const parsed = integerFromText(value);
  return 'value' in parsed ? checkBounds(parsed.value, bounds) : parsed;
}

/** Reads a number from JSON. */
export function parseNumber(value: unknown, bounds: Bounds = {}): Parsed<number> {
  return typeof value === 'number'
    ? checkBounds(value, bounds)
    : problem('float_type', 'Input should be a valid number');
}

/**
 * Checks the bounds in pydantic's order, so that the same one of several violations is reported; NaN violates the
 * first.
 */
function checkBounds(value: number, { le, lt, ge, gt }: Bounds): Parsed<number> {
  if (le !== undefined && !(value <= le)) {
    return problem('less_than_equal', `Input should be less than or equal to ${le}`, { le });
  }
  if (lt !== undefined && !(value < lt)) return problem('less_than', `Input should be less than ${lt}`, { lt });
  if (ge !== undefined && !(value >= ge)) {
    return problem('greater_than_equal', `Input should be greater than or equal to ${ge}`, { ge });
  }
  if (gt !== undefined && !(value > gt)) return problem('greater_than', `Input should be greater than ${gt}`, { gt });
  return { value };
}

const TRUE_TEXT = new Set(['true', 't', '1', 'yes', 'y', 'on']);
const FALSE_TEXT = new Set(['false', 'f', '0', 'no', 'n', 'off']);

/** Reads a boolean from JSON. */
export const parseBoolean = (value: unknown): Parsed<boolean> =>
  typeof value === 'boolean' ? { value } : problem('bool_type', 'Input should be a valid boolean');

/** Reads a boolean from the text of a query. */
export function parseQueryBoolean(value: unknown): Parsed<boolean> {
  if (typeof value !== 'string') return parseBoolean(value);
  const text = value.toLowerCase();
  if (TRUE_TEXT.has(text)) return { value: true };
  if (FALSE_TEXT.has(text)) return { value: false };
  return problem('bool_parsing', 'Input should be a valid boolean, unable to interpret input');
}
