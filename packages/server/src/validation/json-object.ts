/** Fields for JSON objects that are kept unchanged: metadata, filters, configurations, JSON schemas. */
import { INPUT_LIMITS, type InputLimit } from '@quire/shared/input-limits';
import { field, type Field } from './fields.ts';
import { exceedsBytes } from './json-size.ts';
import { limitProblem, problem, valueProblem, type Problem } from './problem.ts';
import { unstorable } from './text.ts';

const MAX_LEVELS = INPUT_LIMITS.fieldPath.max;
const MAX_NAME_BYTES = INPUT_LIMITS.fieldName.max;

/** Keyword of a schema that names the maximum size of the value as JSON, in bytes. */
export const MAX_BYTES_KEY = 'x-max-bytes';

interface ObjectRules {
  /** The object in messages: `a filter`. */
  of: string;
  size: InputLimit;
  /** Maximum length of a name in bytes; any by default. */
  maxNameBytes?: number;
}

/** Returns a schema for any JSON object within a size. */
export const jsonObject = (rules: ObjectRules): Field<Record<string, unknown>> =>
  field(
    (value) => {
      if (!isObject(value)) return problem('dict_type', 'Input should be a valid dictionary');
      const found = problemOf(value, rules);
      return found === undefined ? { value } : { problem: found };
    },
    { type: 'object', additionalProperties: true, [MAX_BYTES_KEY]: rules.size.max },
  );

/** Returns a schema for the metadata of a record. */
export const metadataObject = (): Field<Record<string, unknown>> =>
  jsonObject({ of: 'metadata', size: INPUT_LIMITS.metadata, maxNameBytes: MAX_NAME_BYTES });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns why the object is refused. The size comes first: it bounds the time of the other checks. */
function problemOf(value: object, { of, size, maxNameBytes }: ObjectRules): Problem | undefined {
  if (exceedsBytes(value, size.max)) return limitProblem(size.max, `${of} has at most ${size.max} bytes`).problem;
  const open: [value: unknown, level: number][] = [[value, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, level] = next;
    if (typeof current === 'string') {
      const reason = unstorable(current);
      if (reason !== undefined) return valueProblem(reason).problem;
    } else if (typeof current === 'object' && current !== null) {
      if (level > MAX_LEVELS) return limitProblem(MAX_LEVELS, `nested more than ${MAX_LEVELS} levels deep`).problem;
      for (const [name, member] of Object.entries(current)) {
        if (maxNameBytes !== undefined && Buffer.byteLength(name) > maxNameBytes) {
          return limitProblem(maxNameBytes, `a name in ${of} has at most ${maxNameBytes} bytes`).problem;
        }
        open.push([name, level], [member, level + 1]);
      }
    }
  }
  return undefined;
}
