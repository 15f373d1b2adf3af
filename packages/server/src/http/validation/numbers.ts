/** Numbers and booleans read the way pydantic's lax mode reads them, from JSON values as well as from query strings. */
import { problem, type Parsed } from './problem.ts';

export interface Bounds {
  ge?: number | undefined;
  le?: number | undefined;
  gt?: number | undefined;
  lt?: number | undefined;
}

const INTEGER_TEXT = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;
const FLOAT_TEXT = /^[+-]?(?:inf(?:inity)?|nan|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?)$/i;
/** Python refuses to convert more digits than this. */
const MAX_INTEGER_DIGITS = 4300;
/** A float beyond this does not fit pydantic's 64-bit integers. */
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

export function parseInteger(value: unknown, bounds: Bounds = {}): Parsed<number> {
  let parsed: Parsed<number>;
  if (typeof value === 'string') parsed = integerFromText(value);
  else if (typeof value === 'number') parsed = integerFromNumber(value);
  else if (typeof value === 'boolean') parsed = { value: Number(value) };
  else return problem('int_type', 'Input should be a valid integer');
  return 'value' in parsed ? checkBounds(parsed.value, bounds) : parsed;
}

export function parseNumber(value: unknown, bounds: Bounds = {}): Parsed<number> {
  if (typeof value === 'boolean') return checkBounds(Number(value), bounds);
  if (typeof value === 'number') return checkBounds(value, bounds);
  if (typeof value !== 'string') return problem('float_type', 'Input should be a valid number');
  const text = value.trim().replace(/^\+/, '');
  if (!FLOAT_TEXT.test(text) || /__|_$|^-?_/.test(text)) {
    return problem('float_parsing', 'Input should be a valid number, unable to parse string as a number');
  }
  const plain = text.replaceAll('_', '').replace(/inf(?:inity)?/i, 'Infinity');
  const checked = checkBounds(/nan/i.test(plain) ? Number.NaN : Number(plain), bounds);
  if ('value' in checked && !Number.isFinite(checked.value)) {
    return problem('finite_number', 'Input should be a finite number');
  }
  return checked;
}

/** In pydantic's order, so that of several broken bounds the same one is named; NaN breaks the first. */
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

export function parseBoolean(value: unknown): Parsed<boolean> {
  if (typeof value === 'boolean') return { value };
  if (typeof value === 'string' || Number.isInteger(value)) {
    const text = String(value).toLowerCase();
    if (TRUE_TEXT.has(text)) return { value: true };
    if (FALSE_TEXT.has(text)) return { value: false };
    return problem('bool_parsing', 'Input should be a valid boolean, unable to interpret input');
  }
  return problem('bool_type', 'Input should be a valid boolean');
}
