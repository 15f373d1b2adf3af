/**
 * Compiles a schema that `readSchema` wrote. Ajv turns it into code, so this runs only in the sandbox's children, which
 * have caps on time and memory. Regular expressions run in linear time.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ContentError } from '@quire/blocks/content-error';
import type { JsonSchema } from '@quire/models/chat-model';
import { compilePattern } from './keywords.ts';

export interface Problem {
  /** JSON Pointer into the value. */
  pointer: string;
  message: string;
}

export type Validator = (value: unknown) => readonly Problem[];

const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = compilePattern(pattern);
    // Ajv tells equal patterns apart by this.
    return { test: (text: string) => compiled.test(text), toString: () => `re2:${pattern}` };
  },
  { code: 'linearRegExp' },
);

/** Throws `ContentError` when the schema cannot be compiled, which the check before should have found. */
export function compileSchema(schema: JsonSchema): Validator {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    ownProperties: true,
    // Inlining would let references multiply the code.
    inlineRefs: false,
    // `readSchema` has checked every keyword; compiling the schema of schemas would take 100 ms each time.
    meta: false,
    validateSchema: false,
    code: { regExp: linearRegExp },
  });
  (addFormats as unknown as typeof addFormats.default)(ajv);
  const validate = compiled(ajv, schema);
  return (value) => {
    if (passes(validate, value)) return [];
    return (validate.errors ?? []).map((error) => ({ pointer: error.instancePath, message: describe(error) }));
  };
}

function compiled(ajv: Ajv2020, schema: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new ContentError('unsupported', `The JSON Schema cannot be used: ${reason}`, { cause: error });
  }
}

/** A schema may recurse deeper than the stack on some values. */
function passes(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    throw new ContentError('unsupported', 'The JSON Schema could not be evaluated', { cause: error });
  }
}

function describe(error: ErrorObject): string {
  const place = error.instancePath === '' ? 'the value' : error.instancePath;
  return `${place} ${error.message ?? 'does not fit the schema'}`;
}
