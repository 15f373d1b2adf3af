/** The filter of a request body: any JSON object to look at, checked with the rest of the body. */
import { checkDocumentFilter } from '../../domain/documents/filter.ts';
import { ApiError } from '../../errors.ts';
import { jsonObject, type Field } from '../validation/fields.ts';

/** Kept as it was given: it is stored so, or read by `readDocumentFilter`, which then finds nothing wrong. */
export const documentFilter = (): Field<Record<string, unknown>> =>
  jsonObject().superRefine((value, context) => {
    for (const { loc, msg, type, ctx } of problemsOf(value)) {
      const problem = ctx === undefined ? { type, msg } : { type, msg, ctx };
      context.addIssue({ code: 'custom', path: [...loc], message: msg, params: { problem } });
    }
  });

function problemsOf(value: Record<string, unknown>): ApiError['details'] {
  try {
    checkDocumentFilter(value, []);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.details;
    throw error;
  }
}
