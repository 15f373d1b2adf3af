/**
 * The building blocks of request schemas. Scalars read their value the way pydantic does (lax mode) and fail with its
 * errors; zod holds them together into objects and lists and makes JSON Schema of them.
 */
import { z } from 'zod';
import { parseDateTime } from './date-time.ts';
import { parseBoolean, parseInteger, parseNumber, type Bounds } from './numbers.ts';
import { MISSING, oneOf, problem, valueProblem, type Parsed } from './problem.ts';
import { parseText, unstorable, type TextRules } from './text.ts';
import { parseUrl } from './url.ts';
import { parseUuid } from './uuid.ts';

export type Field<T> = z.ZodType<T>;

/** Levels that metadata and filters may be nested. */
export const MAX_JSON_DEPTH = 32;

/** A schema that reads its value with `parse`; `jsonSchema` describes it in OpenAPI. */
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

export const integer = (range: Bounds = {}): Field<number> =>
  field((value) => parseInteger(value, range), { type: 'integer', ...bounds(range) });

export const number = (range: Bounds = {}): Field<number> =>
  field((value) => parseNumber(value, range), { type: 'number', ...bounds(range) });

export const flag = (): Field<boolean> => field(parseBoolean, { type: 'boolean' });

export const uuid = (): Field<string> => field(parseUuid, { type: 'string', format: 'uuid' });

export const url = (...schemes: string[]): Field<string> =>
  field((value) => parseUrl(value, schemes), { type: 'string', format: 'uri' });

export const dateTime = (): Field<Date> => field(parseDateTime, { type: 'string', format: 'date-time' });

/** One of the words, in the order in which they are to be named in errors. */
export const choice = <const T extends readonly string[]>(...values: T): Field<T[number]> =>
  field<T[number]>(
    (value) => {
      const known = values.find((candidate) => candidate === value);
      const expected = oneOf(values);
      return known === undefined ? problem('enum', `Input should be ${expected}`, { expected }) : { value: known };
    },
    { type: 'string', enum: [...values] },
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any JSON object, kept as it is: metadata, filters. */
export const jsonObject = (): Field<Record<string, unknown>> =>
  field(
    (value) => {
      if (!isObject(value)) return problem('dict_type', 'Input should be a valid dictionary');
      const reason = unstorable(value, MAX_JSON_DEPTH);
      return reason === undefined ? { value } : valueProblem(reason);
    },
    { type: 'object', additionalProperties: true },
  );

/** A field that may be left out; null counts as left out. */
export const optional = <T>(schema: z.ZodType<T>): z.ZodType<T | undefined> =>
  schema.nullish().transform((value) => value ?? undefined);

/** A list in a query: `a=x&a=y` as well as `a=x,y` (the reader of queries splits it, see `query.ts`). */
export const queryList = <T>(item: Field<T>): z.ZodType<T[]> => z.array(item);
