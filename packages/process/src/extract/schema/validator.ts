/**
 * Compiles a schema normalised by `readSchema`. Ajv generates code, so this runs only in the sandbox's children, which
 * have limits on time and memory. Regular expressions run in linear time.
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
    // Ajv caches patterns by this string.
    return { test: (text: string) => compiled.test(text), toString: () => `re2:${pattern}` };
  },
  { code: 'linearRegExp' },
);

/** Throws `ContentError` when the schema cannot be compiled, which `readSchema` should have prevented. */
export function compileSchema(schema: JsonSchema): Validator {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    ownProperties: true,
    // Inlining would let references multiply the code.
    inlineRefs: false,
    // `readSchema` has checked every keyword; compiling the meta-schema would take 100 ms each time.
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

/** Returns false when the schema recurses deeper than the stack allows for a value. */
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
