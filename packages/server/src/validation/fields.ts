/**
 * The building blocks of request schemas. Scalars read their value with pydantic's rules and fail with its errors; zod
 * combines them into objects and lists and derives JSON Schema. Fields of a query (`queryInteger`, `queryFlag`) read
 * text; fields of a JSON body take only values of their own type.
 */
import { z } from 'zod';
import { parseDateTime } from './date-time.ts';
import {
  parseBoolean,
  parseInteger,
  parseNumber,
  parseQueryBoolean,
  parseQueryInteger,
  type Bounds,
} from './numbers.ts';
import { MISSING, oneOf, problem, valueProblem, type Parsed } from './problem.ts';
import { parseText, type TextRules } from './text.ts';
import { parseUrl } from './url.ts';
import { parseUuid } from './uuid.ts';

export type Field<T> = z.ZodType<T>;

/** Returns a schema that reads its value with `parse`; `jsonSchema` describes it in OpenAPI. */
export function field<T>(parse: (value: unknown) => Parsed<T>, jsonSchema: Record<string, unknown>): Field<T> {
  const schema = z.unknown().transform((value, context): T => {
    const parsed = value === undefined ? { problem: MISSING } : parse(value);
    if ('value' in parsed) return parsed.value;
    context.addIssue({ code: 'custom', message: parsed.problem.msg, params: { problem: parsed.problem } });
    return z.NEVER;
  });
  return schema.meta(jsonSchema);
}

const limits = (entries: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));

const bounds = ({ ge, le, gt, lt }: Bounds): Record<string, unknown> =>
  limits({ minimum: ge, maximum: le, exclusiveMinimum: gt, exclusiveMaximum: lt });

export const text = (rules: TextRules = {}): Field<string> =>
  field((value) => parseText(value, rules), {
    type: 'string',
    ...limits({ minLength: rules.min, maxLength: rules.max, pattern: rules.pattern?.source }),
  });

/** A text that holds more than white space. */
export const nonBlankText = (rules: TextRules): Field<string> =>
  field(
    (value) => {
      const parsed = parseText(value, rules);
      return 'value' in parsed && parsed.value.trim() === '' ? valueProblem('the text is blank') : parsed;
    },
    { type: 'string', ...limits({ minLength: rules.min, maxLength: rules.max }) },
  );

export const integer = (range: Bounds = {}): Field<number> =>
  field((value) => parseInteger(value, range), { type: 'integer', ...bounds(range) });

export const queryInteger = (range: Bounds = {}): Field<number> =>
  field((value) => parseQueryInteger(value, range), { type: 'integer', ...bounds(range) });

export const number = (range: Bounds = {}): Field<number> =>
  field((value) => parseNumber(value, range), { type: 'number', ...bounds(range) });

export const flag = (): Field<boolean> => field(parseBoolean, { type: 'boolean' });

export const queryFlag = (): Field<boolean> => field(parseQueryBoolean, { type: 'boolean' });

export const uuid = (): Field<string> => field(parseUuid, { type: 'string', format: 'uuid' });

export const url = (...schemes: string[]): Field<string> =>
  field((value) => parseUrl(value, schemes), { type: 'string', format: 'uri' });

export const dateTime = (): Field<Date> => field(parseDateTime, { type: 'string', format: 'date-time' });

/** Returns a field for a time that has not passed yet. */
export const futureDateTime = (): Field<Date> =>
  field(
    (value) => {
      const parsed = parseDateTime(value);
      const isPast = 'value' in parsed && parsed.value.getTime() <= Date.now();
      return isPast ? problem('datetime_future', 'Input should be in the future') : parsed;
    },
    { type: 'string', format: 'date-time' },
  );

/** Returns a field that takes one of the words; errors name them in the given order. */
export const choice = <const T extends readonly string[]>(...values: T): Field<T[number]> =>
  field<T[number]>(
    (value) => {
      const known = values.find((candidate) => candidate === value);
      const expected = oneOf(values);
      return known === undefined ? problem('enum', `Input should be ${expected}`, { expected }) : { value: known };
    },
    { type: 'string', enum: [...values] },
  );

const absentWhenNull = new WeakSet<object>();

/** Makes a field optional; null counts as left out. */
export function optional<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  const nullable = schema.nullable();
  absentWhenNull.add(nullable);
  return nullable.optional().transform((value) => value ?? undefined);
}

/** Whether null in the field means no more than its absence, so that a description need not mention it. */
export const isAbsentWhenNull = (schema: object): boolean => absentWhenNull.has(schema);

const repeatedOnly = new WeakSet<object>();

/** Returns a list field of a query, written `a=x&a=y`; a comma is part of the value. */
export function queryRepeated<T>(item: Field<T>, max: number): z.ZodType<T[]> {
  repeatedOnly.add(item);
  return z.array(item).max(max);
}

/** Whether commas belong to the values of a list of these items. */
export const isRepeatedOnly = (item: object): boolean => repeatedOnly.has(item);

/** Returns a list field of a query, written `a=x&a=y` or `a=x,y` (`query.ts` splits it). */
export const queryList = <T>(item: Field<T>): z.ZodType<T[]> => z.array(item);
