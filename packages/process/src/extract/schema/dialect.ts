/** Converts older drafts of JSON Schema to 2020-12. */
import { jsonPointer, SchemaProblem, type SchemaPath } from './schema-problem.ts';

const DRAFTS: ReadonlyMap<string, Dialect> = new Map([
  ['http://json-schema.org/schema', { old: true }],
  ['http://json-schema.org/draft-03/schema', { old: true }],
  ['http://json-schema.org/draft-04/schema', { old: true }],
  ['http://json-schema.org/draft-06/schema', { old: true }],
  ['http://json-schema.org/draft-07/schema', { old: true }],
  ['https://json-schema.org/draft/2019-09/schema', { old: false }],
  ['https://json-schema.org/draft/2020-12/schema', { old: false }],
]);

export interface Dialect {
  /** Whether the dialect is draft 7 or older, where keywords beside a `$ref` are ignored. */
  old: boolean;
}

/** Returns the dialect. Throws `SchemaProblem` for a `$schema` that is not one of JSON Schema's drafts. */
export function dialectOf(schema: Record<string, unknown>): Dialect {
  const named = schema['$schema'];
  if (named === undefined) return { old: false };
  const path = ['$schema'];
  if (typeof named !== 'string') throw new SchemaProblem(path, 'must be a string (at /$schema)');
  const address = named
    .replace(/#$/, '')
    .replace(/^https:\/\/json-schema\.org\/draft-/, 'http://json-schema.org/draft-');
  const dialect = DRAFTS.get(address);
  if (dialect === undefined)
    throw new SchemaProblem(path, 'unknown dialect: use https://json-schema.org/draft/2020-12/schema (at /$schema)');
  return dialect;
}

/** Renames keywords of older drafts on the schema's own level. */
export function modernise(
  schema: Record<string, unknown>,
  path: SchemaPath,
  dialect: Dialect,
): Record<string, unknown> {
  const { $ref: reference } = schema;
  if (dialect.old && typeof reference === 'string')
    return { $ref: reference, ...pick(schema, ['title', 'description', '$defs', 'definitions']) };
  const modern = { ...schema };
  exclusiveLimit(modern, 'exclusiveMinimum', 'minimum');
  exclusiveLimit(modern, 'exclusiveMaximum', 'maximum');
  if (Array.isArray(modern['items'])) {
    if (modern['prefixItems'] !== undefined)
      throw new SchemaProblem([...path, 'items'], `must be a schema (at ${jsonPointer([...path, 'items'])})`);
    modern['prefixItems'] = modern['items'];
    delete modern['items'];
    if (modern['additionalItems'] !== undefined) modern['items'] = modern['additionalItems'];
    if (Array.isArray(modern['prefixItems']) && modern['prefixItems'].length === 0) delete modern['prefixItems'];
  }
  if (modern['dependencies'] !== undefined) splitDependencies(modern, path);
  if (dialect.old && typeof modern['required'] === 'boolean') delete modern['required'];
  if (modern['$recursiveRef'] === '#') modern['$ref'] ??= '#';
  if (typeof modern['$dynamicRef'] === 'string') modern['$ref'] ??= modern['$dynamicRef'];
  return modern;
}

/** Draft 4 wrote `"exclusiveMinimum": true` beside `minimum`. */
function exclusiveLimit(schema: Record<string, unknown>, exclusive: string, plain: string): void {
  const value = schema[exclusive];
  if (typeof value !== 'boolean') return;
  delete schema[exclusive];
  if (!value || schema[plain] === undefined) return;
  schema[exclusive] = schema[plain];
  delete schema[plain];
}

function splitDependencies(schema: Record<string, unknown>, path: SchemaPath): void {
  const dependencies = schema['dependencies'];
  delete schema['dependencies'];
  if (typeof dependencies !== 'object' || dependencies === null || Array.isArray(dependencies)) {
    const at = [...path, 'dependencies'];
    throw new SchemaProblem(at, `must be an object (at ${jsonPointer(at)})`);
  }
  const entries = Object.entries(dependencies);
  const lists = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  if (lists.length > 0) schema['dependentRequired'] ??= Object.fromEntries(lists);
  if (schemas.length > 0) schema['dependentSchemas'] ??= Object.fromEntries(schemas);
}

function pick(schema: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));
}
