/**
 * Reads a caller's JSON Schema: checks it keyword by keyword within limits, without compiling anything, and rewrites it
 * in plain 2020-12. In the result every `$ref` is `#/$defs/rN`, and there are no identifiers, unknown keywords or other
 * dialects, so later code needs no checks. Runs in time linear in the schema.
 */
import type { JsonSchema } from '@quire/models/chat-model';
import {
  ANNOTATIONS,
  checkName,
  checkPattern,
  DEFINITION_KEYWORDS,
  LIST_KEYWORDS,
  MAP_KEYWORDS,
  PLAIN_KEYWORDS,
  SCHEMA_KEYWORDS,
} from './keywords.ts';
import { dialectOf, modernise, type Dialect } from './dialect.ts';
import { endlessDefinition } from './endless-references.ts';
import { measure } from './measure.ts';
import { jsonPointer, pointerSegments, SchemaProblem, type SchemaPath } from './schema-problem.ts';

/** Maximum number of subschemas; the largest schema of the public collections tried has 900. */
const MAX_SUBSCHEMAS = 5_000;
/** Maximum number of different regular expressions in a schema; each takes about a millisecond to compile. */
const MAX_PATTERNS = 200;

type Json = Record<string, unknown>;
type Written = JsonSchema | boolean;

/** Rewrites the schema. Throws `SchemaProblem`. A root that is `true` or `false` becomes `{}` or `{ not: {} }`. */
export function readSchema(schema: unknown): JsonSchema {
  measure(schema);
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  if (!isRecord(schema)) throw new SchemaProblem([], 'a JSON Schema is an object');
  return new SchemaReader(schema).read();
}

class SchemaReader {
  readonly #root: Json;
  readonly #dialect: Dialect;
  readonly #identifier: string | undefined;
  /** Positions of the anchors. */
  readonly #anchors = new Map<string, SchemaPath>();
  /** Names of the definitions to write, by the JSON Pointer of their target. */
  readonly #names = new Map<string, string>();
  readonly #wanted: { name: string; path: SchemaPath }[] = [];
  readonly #patterns = new Set<string>();
  #subschemas = 0;

  constructor(root: Json) {
    this.#root = root;
    this.#dialect = dialectOf(root);
    const identifier = root['$id'] ?? root['id'];
    if (typeof identifier === 'string') this.#identifier = identifier.replace(/#$/, '');
    this.#findAnchors();
  }

  read(): JsonSchema {
    const written = this.#schema(this.#root, []);
    const definitions: [string, Written][] = [];
    const places = new Map<string, SchemaPath>();
    // Reading a definition may request further ones.
    for (let next = this.#wanted.shift(); next !== undefined; next = this.#wanted.shift()) {
      definitions.push([next.name, this.#schema(this.#at(next.path), next.path)]);
      places.set(next.name, next.path);
    }
    const endless = endlessDefinition(new Map(definitions));
    if (endless !== undefined) refuse(places.get(endless) ?? [], 'the schema refers to itself without end');
    if (typeof written === 'boolean') return written ? {} : { not: {} };
    return definitions.length === 0 ? written : { ...written, $defs: Object.fromEntries(definitions) };
  }

  #schema(value: unknown, path: SchemaPath): Written {
    this.#subschemas += 1;
    if (this.#subschemas > MAX_SUBSCHEMAS) refuse(path, `the schema has more than ${MAX_SUBSCHEMAS} subschemas`);
    if (typeof value === 'boolean') return value;
    if (!isRecord(value)) refuse(path, 'must be a schema: an object, true or false');
    const schema = modernise(value, path, this.#dialect);
    const written: Json = {};
    for (const [keyword, check] of PLAIN_KEYWORDS) {
      if (schema[keyword] === undefined) continue;
      if (keyword === 'pattern') this.#checkPattern(schema[keyword], [...path, keyword]);
      else check(schema[keyword], [...path, keyword]);
      written[keyword] = unique(keyword, schema[keyword]);
    }
    for (const annotation of ANNOTATIONS)
      if (typeof schema[annotation] === 'string') written[annotation] = schema[annotation];
    if (schema['$ref'] !== undefined) written['$ref'] = this.#reference(schema['$ref'], [...path, '$ref']);
    this.#nested(schema, written, path);
    return written;
  }

  #nested(schema: Json, written: Json, path: SchemaPath): void {
    for (const keyword of SCHEMA_KEYWORDS)
      if (schema[keyword] !== undefined) written[keyword] = this.#schema(schema[keyword], [...path, keyword]);
    for (const keyword of LIST_KEYWORDS) {
      const list = schema[keyword];
      if (list === undefined) continue;
      if (!Array.isArray(list) || list.length === 0)
        refuse([...path, keyword], 'must be a list of at least one schema');
      written[keyword] = list.map((member: unknown, index) => this.#schema(member, [...path, keyword, index]));
    }
    for (const keyword of MAP_KEYWORDS)
      if (schema[keyword] !== undefined) written[keyword] = this.#map(schema[keyword], [...path, keyword], keyword);
    // Definitions are checked here, but written only where they are used.
    for (const keyword of DEFINITION_KEYWORDS)
      if (schema[keyword] !== undefined) this.#map(schema[keyword], [...path, keyword], keyword);
  }

  #map(value: unknown, path: SchemaPath, keyword: string): Json {
    if (!isRecord(value)) refuse(path, 'must be an object');
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        checkName(name, [...path, name]);
        if (keyword === 'patternProperties') this.#checkPattern(name, [...path, name]);
        return [name, this.#schema(member, [...path, name])];
      }),
    );
  }

  #checkPattern(value: unknown, path: SchemaPath): void {
    if (typeof value === 'string') {
      if (this.#patterns.has(value)) return;
      this.#patterns.add(value);
      if (this.#patterns.size > MAX_PATTERNS) refuse(path, `the schema has more than ${MAX_PATTERNS} patterns`);
    }
    checkPattern(value, path);
  }

  #reference(value: unknown, path: SchemaPath): string {
    if (typeof value !== 'string') refuse(path, 'must be a string');
    const target = this.#target(value, path);
    const key = jsonPointer(target);
    const known = this.#names.get(key);
    const name = known ?? `r${this.#names.size}`;
    if (known === undefined) {
      this.#names.set(key, name);
      this.#wanted.push({ name, path: target });
    }
    return `#/$defs/${name}`;
  }

  #target(reference: string, path: SchemaPath): SchemaPath {
    const own = this.#identifier;
    const local =
      own !== undefined && own !== '' && reference.startsWith(own) ? reference.slice(own.length) : reference;
    if (local !== '' && !local.startsWith('#')) refuse(path, 'only references within the schema (#…) are supported');
    const fragment = local.slice(1);
    const target = this.#anchors.get(fragment) ?? pointerSegments(fragment);
    if (target === undefined) refuse(path, 'refers to an anchor that the schema does not have');
    const found = this.#at(target);
    if (found === undefined) refuse(path, 'refers to a place that the schema does not have');
    return target;
  }

  #at(path: SchemaPath): unknown {
    let value: unknown = this.#root;
    for (const segment of path) {
      if (Array.isArray(value)) value = (value as unknown[])[Number(segment)];
      else if (isRecord(value) && Object.hasOwn(value, segment)) value = value[segment];
      else return undefined;
    }
    return value;
  }

  /** Finds anchors anywhere in the schema; older drafts wrote them as `"$id": "#name"`. */
  #findAnchors(): void {
    const open: { value: unknown; path: SchemaPath }[] = [{ value: this.#root, path: [] }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { value, path } = next;
      if (Array.isArray(value))
        value.forEach((member: unknown, index) => open.push({ value: member, path: [...path, index] }));
      if (!isRecord(value)) continue;
      for (const keyword of ['$anchor', '$dynamicAnchor', '$id', 'id']) {
        const anchor = value[keyword];
        if (typeof anchor !== 'string') continue;
        const name = keyword.endsWith('id') ? /^#(.+)$/.exec(anchor)?.[1] : anchor;
        if (name !== undefined && !this.#anchors.has(name)) this.#anchors.set(name, path);
      }
      for (const [key, member] of Object.entries(value)) open.push({ value: member, path: [...path, key] });
    }
  }
}

function unique(keyword: string, value: unknown): unknown {
  return Array.isArray(value) && (keyword === 'required' || keyword === 'type') ? [...new Set<unknown>(value)] : value;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(path: SchemaPath, reason: string): never {
  throw new SchemaProblem(path, `${reason} (at ${jsonPointer(path) || 'the root'})`);
}
