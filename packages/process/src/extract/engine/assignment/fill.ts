/**
 * Builds the data from the found values. A missing value is omitted where it is optional, null where the schema allows
 * null, and an empty string, list or object where the schema requires one and accepts an empty one. Otherwise the
 * result is `NoValue`, since any value would be invented.
 */
import type { Shape } from '../../schema/shape.ts';
import { jsonPointer } from '../../schema/schema-problem.ts';
import type { Evidence } from '../../extraction.ts';
import { evidenceOf, type Candidate } from '../candidates/candidate.ts';
import { allows, isArrayShape, isObjectShape, variantsOf } from '../fields/variants.ts';

export interface Findings {
  values: ReadonlyMap<Shape, Candidate>;
  /** Lists of single values. */
  lists: ReadonlyMap<Shape, readonly Candidate[]>;
  /** Lists of objects: the rows, and the variant of the items that their fields belong to. */
  rows: ReadonlyMap<Shape, { item: Shape; rows: readonly Findings[] }>;
}

export interface Filled {
  value: unknown;
  evidence: Map<string, Evidence>;
}

/** A required value was not found and has no empty form. */
export interface NoValue {
  missing: string;
}

export const isMissing = (filled: Filled | NoValue): filled is NoValue => 'missing' in filled;

type Path = readonly (string | number)[];

/** Fills the shape. `withheld` holds the pointers whose values the validator rejected. */
export function fill(shape: Shape, findings: Findings, withheld: ReadonlySet<string>): Filled | NoValue {
  return new Filler(withheld).fill(shape, [], findings);
}

class Filler {
  readonly #withheld: ReadonlySet<string>;

  constructor(withheld: ReadonlySet<string>) {
    this.#withheld = withheld;
  }

  /** Fills the variant for which most values were found. */
  fill(shape: Shape, path: Path, findings: Findings): Filled | NoValue {
    let best: Filled | NoValue = { missing: jsonPointer(path) };
    let count = -1;
    for (const variant of variantsOf(shape)) {
      const filled = this.#variant(variant, path, findings);
      if (isMissing(filled)) {
        if (count < 0) best = filled;
        continue;
      }
      const found = filled.evidence.size + (isNothing(filled.value) ? 0 : 0.5);
      if (found <= count) continue;
      best = filled;
      count = found;
    }
    return best;
  }

  #variant(shape: Shape, path: Path, findings: Findings): Filled | NoValue {
    const pointer = jsonPointer(path);
    if (shape.cut) return { missing: pointer };
    if (this.#withheld.has(pointer)) return emptyValue(shape, pointer);
    if (isObjectShape(shape)) return this.#object(shape, path, findings);
    if (isArrayShape(shape)) return this.#array(shape, path, findings);
    const found = findings.values.get(shape);
    if (found === undefined) return emptyValue(shape, pointer);
    return { value: found.value, evidence: new Map([[pointer, evidenceOf(found)]]) };
  }

  #object(shape: Shape, path: Path, findings: Findings): Filled | NoValue {
    const entries: [string, unknown][] = [];
    const evidence = new Map<string, Evidence>();
    let missing: NoValue | null = null;
    for (const [name, property] of shape.properties) {
      const at = [...path, name];
      const filled = this.fill(property, at, findings);
      const required = shape.required.has(name);
      if (isMissing(filled)) {
        if (required) missing ??= filled;
        continue;
      }
      // An optional property is written only with a found value or as null.
      if (!required && filled.evidence.size === 0 && filled.value !== null) continue;
      entries.push([name, filled.value]);
      for (const [pointer, one] of filled.evidence) evidence.set(pointer, one);
    }
    if (missing !== null)
      return allows(shape, 'null') && shape.types !== null ? { value: null, evidence: new Map() } : missing;
    if (evidence.size === 0 && shape.types?.has('null') === true) return { value: null, evidence };
    return { value: Object.fromEntries(entries), evidence };
  }

  #array(shape: Shape, path: Path, findings: Findings): Filled | NoValue {
    const evidence = new Map<string, Evidence>();
    const values: unknown[] = [];
    const table = findings.rows.get(shape);
    for (const row of table?.rows ?? []) {
      const at = [...path, values.length];
      const filled = this.fill(table?.item ?? shape, at, row);
      if (isMissing(filled) || filled.evidence.size === 0 || values.length >= shape.maxItems) continue;
      values.push(filled.value);
      for (const [pointer, one] of filled.evidence) evidence.set(pointer, one);
    }
    for (const found of findings.lists.get(shape) ?? []) {
      if (values.length >= shape.maxItems) break;
      const pointer = jsonPointer([...path, values.length]);
      if (this.#withheld.has(pointer)) continue;
      values.push(found.value);
      evidence.set(pointer, evidenceOf(found));
    }
    if (values.length === 0 && shape.prefixItems.length > 0) return this.#tuple(shape, path, findings);
    if (values.length < shape.minItems || values.length === 0) return emptyValue(shape, jsonPointer(path));
    return { value: values, evidence };
  }

  #tuple(shape: Shape, path: Path, findings: Findings): Filled | NoValue {
    const evidence = new Map<string, Evidence>();
    const values: unknown[] = [];
    for (const [index, item] of shape.prefixItems.entries()) {
      const filled = this.fill(item, [...path, index], findings);
      if (isMissing(filled)) return emptyValue(shape, jsonPointer(path));
      values.push(filled.value);
      for (const [pointer, one] of filled.evidence) evidence.set(pointer, one);
    }
    return evidence.size === 0 ? emptyValue(shape, jsonPointer(path)) : { value: values, evidence };
  }
}

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns the value that means "not found". A single constant counts as such, because the schema dictates it. */
export function emptyValue(shape: Shape, missing: string): Filled | NoValue {
  const evidence = new Map<string, Evidence>();
  if (shape.allowed !== null) {
    if (shape.allowed.includes(null) && allows(shape, 'null')) return { value: null, evidence };
    if (shape.allowed.length === 1) return { value: shape.allowed[0], evidence };
    if (shape.allowed.includes('')) return { value: '', evidence };
    return { missing };
  }
  if (allows(shape, 'null')) return { value: null, evidence };
  if (allows(shape, 'array') && isArrayShape(shape) && shape.minItems === 0) return { value: [], evidence };
  if (allows(shape, 'object') && isObjectShape(shape) && shape.required.size === 0) return { value: {}, evidence };
  const plain = shape.minLength === 0 && shape.pattern === null && shape.format === null;
  if (allows(shape, 'string') && plain) return { value: '', evidence };
  return { missing };
}
