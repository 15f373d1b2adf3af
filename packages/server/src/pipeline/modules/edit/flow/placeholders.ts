/** The values of `{{name}}` placeholders, and which of them were used. */
import type { OperationOf } from '../operations.ts';
import type { Match } from './finder.ts';

export const PLACEHOLDER = /\{\{\s*([\p{L}\p{N}_.-]+)\s*\}\}/gu;

type Values = OperationOf<'fillPlaceholders'>['values'];
type Scalar = string | number | boolean;
type Row = Readonly<Record<string, Scalar>>;

/** The element of a list that a repeated row stands for. */
export interface RowScope {
  list: string;
  index: number;
}

export class PlaceholderValues {
  readonly #values: ReadonlyMap<string, Values[string]>;
  readonly #used = new Set<string>();
  readonly #missing = new Set<string>();

  constructor(values: Values) {
    this.#values = new Map(Object.entries(values));
  }

  list(name: string): readonly Row[] | undefined {
    const value = this.#values.get(name);
    return Array.isArray(value) ? value : undefined;
  }

  /** Placeholders that have a value; the others stay as they are written. */
  matches(text: string, scope?: RowScope): Match[] {
    const matches: Match[] = [];
    for (const found of text.matchAll(PLACEHOLDER)) {
      const name = found[1] ?? '';
      const value = this.#valueOf(name, scope);
      if (value === undefined) this.#missing.add(name);
      else matches.push({ start: found.index, end: found.index + found[0].length, replacement: String(value) });
    }
    return matches;
  }

  /** What was not filled in and what was not asked for. */
  notes(): { notes?: string[] } {
    const unused = [...this.#values.keys()].filter((name) => !this.#used.has(name));
    const notes = [
      ...[...this.#missing].map((name) => `{{${name}}} has no value and stays as it is`),
      ...unused.map((name) => `The document has no place for ${name}`),
    ];
    return notes.length === 0 ? {} : { notes };
  }

  #valueOf(name: string, scope: RowScope | undefined): Scalar | undefined {
    const field = scope !== undefined && name.startsWith(`${scope.list}.`) ? name.slice(scope.list.length + 1) : null;
    if (scope !== undefined && field !== null) {
      this.#used.add(scope.list);
      const row = this.list(scope.list)?.[scope.index] ?? {};
      return Object.hasOwn(row, field) ? row[field] : undefined;
    }
    const value = this.#values.get(name);
    if (value === undefined || Array.isArray(value)) return undefined;
    this.#used.add(name);
    return value;
  }
}
