/**
 * Converts a JSON Schema to the subset from which node-llama-cpp makes grammars. The library treats unknown keywords as
 * `null`, so they are widened here: the grammar may allow values that the schema forbids (they are checked afterwards),
 * but must not forbid valid ones. One exception: the grammar writes every property, including optional ones.
 */
import type { JsonSchema } from '../../chat-model.ts';

const ANY: JsonSchema = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array' },
    { type: 'object', additionalProperties: true },
  ],
};
const FORMATS = new Set(['date-time', 'time', 'date']);
const SCALARS = new Set(['string', 'number', 'integer', 'boolean', 'null']);

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

export function toGrammarSchema(schema: JsonSchema): JsonSchema {
  const definitions = { ...asObject(schema['definitions']), ...asObject(schema['$defs']) };
  const names = new Set(Object.keys(definitions));
  const root = convert(schema, names);
  return names.size === 0 ? root : { ...root, $defs: mapValues(definitions, (entry) => convert(entry, names)) };
}

function convert(schema: unknown, names: ReadonlySet<string>): JsonSchema {
  if (!isObject(schema)) return ANY;
  const { $ref, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return reference($ref, names);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return { oneOf: choices.map((choice) => convert(choice, names)) };
  if (Array.isArray(allOf)) return allOf.length === 1 ? convert(allOf[0], names) : ANY;
  if ('const' in schema) return isScalar(schema['const']) ? { const: schema['const'] } : ANY;
  if (Array.isArray(schema['enum'])) return schema['enum'].every(isScalar) ? { enum: schema['enum'] } : ANY;
  if (Array.isArray(type)) return { oneOf: type.map((one) => convert({ ...schema, type: one }, names)) };
  return convertType(typeof type === 'string' ? type : impliedType(schema), schema, names);
}

function convertType(type: string | undefined, schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  if (type === 'object') return convertObject(schema, names);
  if (type === 'array') return convertArray(schema, names);
  if (type === 'string') {
    if (FORMATS.has(String(schema['format']))) return { type, format: schema['format'] };
    return { type, ...pick(schema, ['minLength', 'maxLength']) };
  }
  return type !== undefined && SCALARS.has(type) ? { type } : ANY;
}

function impliedType({ properties, items, prefixItems }: JsonSchema): string | undefined {
  if (properties !== undefined) return 'object';
  return items === undefined && prefixItems === undefined ? undefined : 'array';
}

function convertObject(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  const properties = asObject(schema['properties']);
  const keys = Object.keys(properties);
  if (keys.length === 0) {
    const { additionalProperties: others } = schema;
    return { type: 'object', additionalProperties: isObject(others) ? convert(others, names) : others !== false };
  }
  return {
    type: 'object',
    properties: mapValues(properties, (entry) => convert(entry, names)),
    required: keys,
    additionalProperties: false,
  };
}

function convertArray(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  const { items, prefixItems } = schema;
  return {
    type: 'array',
    ...(items === undefined ? {} : { items: convert(items, names) }),
    ...(Array.isArray(prefixItems) ? { prefixItems: prefixItems.map((entry) => convert(entry, names)) } : {}),
    ...pick(schema, ['minItems', 'maxItems']),
  };
}

function reference(pointer: string, names: ReadonlySet<string>): JsonSchema {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(pointer)?.[1];
  return name !== undefined && names.has(name) ? { $ref: `#/$defs/${name}` } : ANY;
}

const asObject = (value: unknown): JsonSchema => (isObject(value) ? value : {});

const mapValues = (from: JsonSchema, map: (value: unknown) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, map(value)]));

const pick = (schema: JsonSchema, names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));
