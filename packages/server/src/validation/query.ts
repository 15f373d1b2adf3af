import { z } from 'zod';

/** Whether the field takes a list, also inside of `optional` and `default`. */
function takesList(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodArray) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return takesList(schema.unwrap());
  }
  return schema instanceof z.ZodPipe && takesList(schema.in);
}

/** Returns the known fields of a query as text: the last of repeated values, or all values of a list. */
export function readQuery(given: URLSearchParams, shape: z.core.$ZodShape): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const values = given.getAll(name);
    const last = values.at(-1);
    if (last === undefined) continue;
    query[name] = takesList(schema) ? values.flatMap((value) => value.split(',')) : last;
  }
  return query;
}
