/**
 * Adds descriptions and examples to the fields of a schema, and brings its constructs into forms that generators read.
 */
import { EXAMPLES_BY_FORMAT, FIELD_DESCRIPTIONS } from './field-descriptions.ts';
import { MAX_BYTES_KEY } from '../../validation/json-object.ts';
import { isSchema, type JsonSchema } from './schemas.ts';

/** Describes every field below `schema`; `container` is the name of the component or field that holds them. */
export function describeFields(schema: JsonSchema, container: string, used: Set<string> = new Set()): void {
  const properties = schema['properties'];
  if (isSchema(properties)) {
    for (const [name, property] of Object.entries(properties)) {
      if (!isSchema(property)) continue;
      properties[name] = describeField(property, container, name, used);
      describeFields(properties[name] as JsonSchema, name, used);
    }
  }
  for (const keyword of ['items', 'additionalProperties']) {
    const nested = schema[keyword];
    if (isSchema(nested)) describeFields(nested, container, used);
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const branches = schema[keyword];
    if (Array.isArray(branches)) for (const each of branches) if (isSchema(each)) describeFields(each, container, used);
  }
}

/** Returns the schema of a field with its description and, for a value that is not structured, an example. */
export function describeField(schema: JsonSchema, container: string, name: string, used: Set<string>): JsonSchema {
  const key = [`${container}.${name}`, name].find((each) => Object.hasOwn(FIELD_DESCRIPTIONS, each));
  const known = key === undefined ? undefined : FIELD_DESCRIPTIONS[key];
  if (key !== undefined) used.add(key);
  const own = withSize(schema, sentence(schema['description']) ?? known?.description);
  const described: JsonSchema = own === undefined ? schema : { ...schema, description: own };
  if ('$ref' in schema || 'examples' in schema) return described;
  if (isEnumerated(schema)) return described;
  const example = known?.example ?? (isStructured(schema) ? undefined : scalarExample(schema));
  return example === undefined ? described : { ...described, examples: [example] };
}

/** Adds the maximum size of the value, for which JSON Schema has no keyword. */
function withSize(schema: JsonSchema, description: string | undefined): string | undefined {
  const bytes = schema[MAX_BYTES_KEY];
  if (description === undefined || typeof bytes !== 'number') return description;
  return `${description} At most ${bytes / 1024} kB as JSON.`;
}

/** Returns the description with a full stop. */
const sentence = (description: unknown): string | undefined =>
  typeof description === 'string' ? description.replace(/[^.]$/, '$&.') : undefined;

const isEnumerated = (schema: JsonSchema): boolean =>
  'enum' in schema ||
  'const' in schema ||
  (Array.isArray(schema['anyOf']) && schema['anyOf'].some((each) => isSchema(each) && isEnumerated(each)));

/** Whether the value needs no example of its own: it has fields with examples, or a fixed set of values. */
export function isStructured(schema: JsonSchema): boolean {
  if ('$ref' in schema || 'properties' in schema || isEnumerated(schema)) return true;
  if (schema['type'] === 'object' || schema['type'] === 'boolean' || schema['format'] === 'binary') return true;
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(branches))
    return branches.some((each) => isSchema(each) && each['type'] !== 'null' && isStructured(each));
  return schema['type'] === 'array' && isSchema(schema['items']) && isStructured(schema['items']);
}

function scalarExample(schema: JsonSchema): unknown {
  const branches = schema['anyOf'];
  const value = Array.isArray(branches) ? branches.find((each) => isSchema(each) && each['type'] !== 'null') : schema;
  const format = isSchema(value) ? value['format'] : undefined;
  return typeof format === 'string' ? EXAMPLES_BY_FORMAT[format] : undefined;
}
