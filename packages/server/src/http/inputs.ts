/** Schemas of the inputs that declarations imply: paging parameters of lists, the JSON body of `raw` uploads. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { OPTIONAL_FIELDS, SETTABLE_FIELDS } from './document-fields.ts';
import type { Route } from './route.ts';
import { field, optional, queryInteger, text } from '../validation/fields.ts';
import { problem } from '../validation/problem.ts';

const DEFAULT_LIMIT = 50;

const paging = {
  limit: queryInteger({ ge: 1, le: 100 }).default(DEFAULT_LIMIT),
  cursor: optional(text()),
};

/** Any text, including NUL characters; its UTF-8 bytes become the file. */
const content = field<string>(
  (value) => {
    if (typeof value !== 'string') return problem('string_type', 'Input should be a valid string');
    if (!/\p{Surrogate}/u.test(value)) return { value };
    return problem('string_unicode', 'Input should be a valid string, unable to parse raw data as a unicode string');
  },
  { type: 'string' },
);

const { name: _name, ...otherFields } = OPTIONAL_FIELDS;

export const rawUploadBody = z
  .strictObject({
    name: SETTABLE_FIELDS.name.schema,
    content,
    contentType: text({ min: 1, max: INPUT_LIMITS.contentType.max }),
    ...otherFields,
  })
  .meta({ id: 'RawUpload' });

/** Returns the schema of the query; undefined if the route takes none. */
export function querySchemaOf(route: Route): z.ZodObject | undefined {
  if (route.list !== true) return route.query;
  return z.object({ ...route.query?.shape, ...paging });
}

export function bodySchemaOf(route: Route): z.ZodType | undefined {
  return route.upload === 'raw' ? rawUploadBody : route.body;
}
