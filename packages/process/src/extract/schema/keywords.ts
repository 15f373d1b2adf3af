/**
 * The keywords of JSON Schema 2020-12, with their older names and the checks of their values. Anything else in a schema
 * is an annotation and is dropped, as the specification says.
 */
import { RE2JS } from 're2js';
import { jsonPointer, SchemaProblem, type SchemaPath } from './schema-problem.ts';

const JSON_TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

const MAX_PATTERN_LENGTH = 1_000;
const MAX_ENUM_VALUES = 5_000;
const FORBIDDEN_NAME = '__proto__';

type Check = (value: unknown, path: SchemaPath) => void;

function refuse(path: SchemaPath, reason: string): never {
  throw new SchemaProblem(path, `${reason} (at ${jsonPointer(path) || 'the root'})`);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const number: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) refuse(path, 'must be a number');
};
const positive: Check = (value, path) => {
  if (typeof value !== 'number' || !(value > 0)) refuse(path, 'must be a number above 0');
};
const count: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    refuse(path, 'must be a whole number from 0');
};
const flag: Check = (value, path) => {
  if (typeof value !== 'boolean') refuse(path, 'must be true or false');
};
const anything: Check = () => undefined;
const text: Check = (value, path) => {
  if (typeof value !== 'string') refuse(path, 'must be a string');
};

const types: Check = (value, path) => {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  if (names.length === 0) refuse(path, 'must name at least one type');
  for (const name of names)
    if (!JSON_TYPES.some((known) => known === name)) refuse(path, `must be one of ${JSON_TYPES.join(', ')}`);
};

const values: Check = (value, path) => {
  if (!Array.isArray(value) || value.length === 0) refuse(path, 'must be a list of at least one value');
  if (value.length > MAX_ENUM_VALUES) refuse(path, `must have at most ${MAX_ENUM_VALUES} values`);
};

const names: Check = (value, path) => {
  if (!Array.isArray(value)) refuse(path, 'must be a list of property names');
  value.forEach((name: unknown, index) => checkName(name, [...path, index]));
};

const nameLists: Check = (value, path) => {
  if (!isRecord(value)) refuse(path, 'must be an object');
  for (const [name, list] of Object.entries(value)) names(list, [...path, name]);
};

/** Rejects `__proto__`, because careless copies of such an object would get another prototype. */
export function checkName(name: unknown, path: SchemaPath): asserts name is string {
  if (typeof name !== 'string') refuse(path, 'must be a string');
  if (name === FORBIDDEN_NAME) refuse(path, 'this property name is not supported');
}

/** Accepts only linear-time patterns: look-around and back-references are rejected. */
export function checkPattern(value: unknown, path: SchemaPath): asserts value is string {
  if (typeof value !== 'string') refuse(path, 'must be a string');
  if (value.length > MAX_PATTERN_LENGTH) refuse(path, `must have at most ${MAX_PATTERN_LENGTH} characters`);
  try {
    compilePattern(value);
  } catch (error) {
    refuse(path, `unsupported regular expression: ${error instanceof Error ? error.message : 'invalid'}`);
  }
}

export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/** Keywords that are copied unchanged. */
export const PLAIN_KEYWORDS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['type', types],
  ['enum', values],
  ['const', anything],
  ['multipleOf', positive],
  ['maximum', number],
  ['minimum', number],
  ['exclusiveMaximum', number],
  ['exclusiveMinimum', number],
  ['maxLength', count],
  ['minLength', count],
  ['pattern', checkPattern],
  ['maxItems', count],
  ['minItems', count],
  ['uniqueItems', flag],
  ['maxContains', count],
  ['minContains', count],
  ['maxProperties', count],
  ['minProperties', count],
  ['required', names],
  ['dependentRequired', nameLists],
  ['format', text],
]);

/** Annotations for people, kept where they are strings. */
export const ANNOTATIONS = ['title', 'description'] as const;
/** Keywords with one schema. */
export const SCHEMA_KEYWORDS = [
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
] as const;
/** Keywords with a list of at least one schema. */
export const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
/** Keywords with schemas by name. */
export const MAP_KEYWORDS = ['properties', 'patternProperties', 'dependentSchemas'] as const;
export const DEFINITION_KEYWORDS = ['$defs', 'definitions'] as const;
