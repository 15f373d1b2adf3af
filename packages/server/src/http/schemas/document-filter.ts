/** The filter of a request body: any JSON object to its schema, checked by the domain together with the body. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { checkDocumentFilter } from '../../domain/documents/filter.ts';
import { ApiError } from '../../errors.ts';
import type { Field } from '../../validation/fields.ts';
import { jsonObject } from '../../validation/json-object.ts';

const filter: Field<Record<string, unknown>> = jsonObject({ of: 'a filter', size: INPUT_LIMITS.filter })
  .superRefine((value, context) => {
    for (const { loc, msg, type, ctx } of problemsOf(value)) {
      const problem = ctx === undefined ? { type, msg } : { type, msg, ctx };
      context.addIssue({ code: 'custom', path: [...loc], message: msg, params: { problem } });
    }
  })
  // The component is described in `openapi/static-schemas.ts`.
  .meta({ $ref: '#/components/schemas/DocumentFilter' });

/** Returns the field; its value is kept as it was sent, to be stored or read by `readDocumentFilter`. */
export const documentFilter = (): Field<Record<string, unknown>> => filter;

function problemsOf(value: Record<string, unknown>): ApiError['details'] {
  try {
    checkDocumentFilter(value, []);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.details;
    throw error;
  }
}
