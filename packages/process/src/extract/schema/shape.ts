/**
 * Describes what a schema requests as a tree that can be filled: references are resolved (except recursion), `allOf` is
 * merged, alternatives are listed. It guides the search; the validator alone decides whether a value is valid.
 */
import type { JsonSchema } from '@quire/models/chat-model';
import type { JsonType } from './keywords.ts';

export interface Shape {
  /** Null for any type. */
  types: ReadonlySet<JsonType> | null;
  title: string;
  description: string;
  format: string | null;
  pattern: string | null;
  /** Values of `enum` or `const`; null for any value. */
  allowed: readonly unknown[] | null;
  minLength: number;
  maxLength: number;
  minItems: number;
  maxItems: number;
  minimum: number;
  maximum: number;
  properties: ReadonlyMap<string, Shape>;
  required: ReadonlySet<string>;
  items: Shape | null;
  prefixItems: readonly Shape[];
  /** Alternatives, each merged with the keywords beside them. */
  alternatives: readonly Shape[];
  /** Whether recursion was cut here, so that nothing is searched. */
  cut: boolean;
}

/**
 * Maximum number of levels of a recursive definition. A definition inside itself is not filled, because the found
 * values belong to the outer one.
 */
const MAX_RECURSION = 1;
const MAX_LEVELS = 16;
const MAX_SHAPES = 20_000;
const MAX_ALTERNATIVES = 12;

export function shapeOf(schema: JsonSchema): Shape {
  return new ShapeReader(schema).shape(schema, [], 0);
}

class ShapeReader {
  readonly #definitions: Record<string, unknown>;
  #shapes = 0;

  constructor(schema: JsonSchema) {
    this.#definitions = (schema['$defs'] as Record<string, unknown> | undefined) ?? {};
  }

  shape(schema: unknown, references: readonly string[], level: number): Shape {
    this.#shapes += 1;
    if (schema === true || typeof schema !== 'object' || schema === null) return anyShape();
    if (level > MAX_LEVELS || this.#shapes > MAX_SHAPES) return { ...anyShape(), cut: true };
    const fields = schema as Record<string, unknown>;
    let shape = this.#own(fields, references, level);
    const reference = fields['$ref'];
    if (typeof reference === 'string') shape = merge(shape, this.#referred(reference, references, level));
    for (const part of list(fields['allOf'])) shape = merge(shape, this.shape(part, references, level + 1));
    const branches = [...list(fields['anyOf']), ...list(fields['oneOf'])].slice(0, MAX_ALTERNATIVES);
    if (branches.length === 0) return shape;
    const alternatives = branches.map((branch) => this.shape(branch, references, level + 1));
    return { ...shape, alternatives: [...shape.alternatives, ...alternatives] };
  }

  #referred(reference: string, references: readonly string[], level: number): Shape {
    const inside = references.filter((known) => known === reference).length;
    if (inside >= MAX_RECURSION) return { ...anyShape(), cut: true };
    const name = reference.slice('#/$defs/'.length);
    return this.shape(this.#definitions[name], [...references, reference], level + 1);
  }

  #own(fields: Record<string, unknown>, references: readonly string[], level: number): Shape {
    const inner = (value: unknown): Shape => this.shape(value, references, level + 1);
    const properties = Object.entries((fields['properties'] ?? {}) as Record<string, unknown>);
    const items = fields['items'] ?? fields['contains'];
    return {
      types: typesOf(fields['type']),
      title: text(fields['title']) ?? '',
      description: text(fields['description']) ?? '',
      format: text(fields['format']) ?? null,
      pattern: text(fields['pattern']) ?? null,
      allowed: Object.hasOwn(fields, 'const') ? [fields['const']] : ((fields['enum'] as unknown[] | undefined) ?? null),
      minLength: numeric(fields['minLength'], 0),
      maxLength: numeric(fields['maxLength'], Infinity),
      minItems: numeric(fields['minItems'], fields['contains'] === undefined ? 0 : 1),
      maxItems: numeric(fields['maxItems'], Infinity),
      minimum: numeric(fields['minimum'] ?? fields['exclusiveMinimum'], -Infinity),
      maximum: numeric(fields['maximum'] ?? fields['exclusiveMaximum'], Infinity),
      properties: new Map(properties.map(([name, value]) => [name, inner(value)])),
      required: new Set((fields['required'] as string[] | undefined) ?? []),
      items: items === undefined || typeof items === 'boolean' ? null : inner(items),
      prefixItems: list(fields['prefixItems']).map(inner),
      alternatives: [],
      cut: false,
    };
  }
}

/** Returns the shape of a position without constraints. */
export function anyShape(): Shape {
  return {
    types: null,
    title: '',
    description: '',
    format: null,
    pattern: null,
    allowed: null,
    minLength: 0,
    maxLength: Infinity,
    minItems: 0,
    maxItems: Infinity,
    minimum: -Infinity,
    maximum: Infinity,
    properties: new Map(),
    required: new Set(),
    items: null,
    prefixItems: [],
    alternatives: [],
    cut: false,
  };
}

/**
 * Merges two shapes that both apply. Titles and descriptions of the first win, because they are nearer to the property.
 */
export function merge(a: Shape, b: Shape): Shape {
  const properties = new Map(a.properties);
  for (const [name, shape] of b.properties) {
    const own = properties.get(name);
    properties.set(name, own === undefined ? shape : merge(own, shape));
  }
  return {
    types: a.types === null ? b.types : b.types === null ? a.types : commonTypes(a.types, b.types),
    title: a.title || b.title,
    description: a.description || b.description,
    format: a.format ?? b.format,
    pattern: a.pattern ?? b.pattern,
    allowed: a.allowed ?? b.allowed,
    minLength: Math.max(a.minLength, b.minLength),
    maxLength: Math.min(a.maxLength, b.maxLength),
    minItems: Math.max(a.minItems, b.minItems),
    maxItems: Math.min(a.maxItems, b.maxItems),
    minimum: Math.max(a.minimum, b.minimum),
    maximum: Math.min(a.maximum, b.maximum),
    properties,
    required: new Set([...a.required, ...b.required]),
    items: a.items ?? b.items,
    prefixItems: a.prefixItems.length > 0 ? a.prefixItems : b.prefixItems,
    alternatives: [...a.alternatives, ...b.alternatives],
    cut: a.cut || b.cut,
  };
}

function commonTypes(a: ReadonlySet<JsonType>, b: ReadonlySet<JsonType>): ReadonlySet<JsonType> {
  const common = new Set([...a].filter((type) => b.has(type)));
  // Every integer is a number.
  if ((a.has('integer') && b.has('number')) || (a.has('number') && b.has('integer'))) common.add('integer');
  return common;
}

function typesOf(value: unknown): ReadonlySet<JsonType> | null {
  if (value === undefined) return null;
  return new Set((Array.isArray(value) ? value : [value]) as JsonType[]);
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numeric = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
