/** The check of `extractionConfig.jsonSchema` before a run is accepted. */
import { valueError, type ErrorLocation } from '../../../../errors.ts';
import type { JsonSchema } from '../../../../providers/chat-model.ts';
import { readSchema } from './read-schema.ts';
import { SchemaProblem } from './schema-problem.ts';

/** Throws `ApiError` 422 whose `loc` is that of the schema with the path of the offending keyword after it. */
export function checkSchema(schema: unknown, loc: ErrorLocation): JsonSchema {
  try {
    return readSchema(schema);
  } catch (error) {
    if (error instanceof SchemaProblem) throw valueError([...loc, ...error.path], error.message);
    throw error;
  }
}
