import { z } from 'zod';
import { isRepeatedOnly } from './fields.ts';

type ListStyle = 'split' | 'repeated';

/** Returns how the field takes a list, also inside of `optional` and `default`; undefined if it takes none. */
function listStyle(schema: z.core.$ZodType): ListStyle | undefined {
  if (schema instanceof z.ZodArray) return isRepeatedOnly(schema.element) ? 'repeated' : 'split';
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return listStyle(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? listStyle(schema.in) : undefined;
}

/** Returns the known fields of a query as text: the last of repeated values, or all values of a list. */
export function readQuery(given: URLSearchParams, shape: z.core.$ZodShape): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const values = given.getAll(name);
    const last = values.at(-1);
    if (last === undefined) continue;
    const style = listStyle(schema);
    if (style === undefined) query[name] = last;
    else query[name] = style === 'split' ? values.flatMap((value) => value.split(',')) : values;
  }
  return query;
}
