/** Enforces the limits on a caller's schema as JSON, before anything recurses into it. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { jsonPointer, SchemaProblem, type SchemaPath } from './schema-problem.ts';

/** Maximum number of characters of all names and values, roughly the size of the JSON text. */
const MAX_CHARACTERS = INPUT_LIMITS.jsonSchema.max;
const MAX_VALUES = 50_000;
/** Maximum depth of objects and lists; each level of properties takes two. */
const MAX_DEPTH = 100;

/** Throws `SchemaProblem` at the position where a limit is exceeded. */
export function measure(schema: unknown): void {
  let characters = 0;
  let count = 0;
  const open: { value: unknown; path: SchemaPath }[] = [{ value: schema, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    count += 1;
    if (path.length > MAX_DEPTH) refuse(path, `the schema is nested deeper than ${MAX_DEPTH} levels`);
    if (typeof value === 'string') characters += value.length;
    else if (typeof value !== 'object' || value === null) characters += 4;
    else {
      for (const [key, member] of Object.entries(value)) {
        characters += Array.isArray(value) ? 1 : key.length + 4;
        open.push({ value: member, path: [...path, key] });
      }
    }
    if (count > MAX_VALUES) refuse(path, `the schema has more than ${MAX_VALUES} values`);
    if (characters > MAX_CHARACTERS) refuse(path, `the schema is larger than ${MAX_CHARACTERS / 1024} kB`);
  }
}

function refuse(path: SchemaPath, reason: string): never {
  throw new SchemaProblem(path, `${reason} (near ${jsonPointer(path) || 'the root'})`);
}
