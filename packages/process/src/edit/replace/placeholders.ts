/** The values of `{{name}}` placeholders, and which of them were used. */
import type { OperationOf } from '../operations.ts';
import type { Match } from './match-finder.ts';

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
  /** Names of lists' fields that a row was filled with, or would have been if the list had elements. */
  readonly #filled = new Set<string>();

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
      const value = this.#value(name, scope);
      if (value !== undefined && scope !== undefined) this.#filled.add(name);
      if (value === undefined) this.#missing.add(name);
      else matches.push({ start: found.index, end: found.index + found[0].length, replacement: String(value) });
    }
    return matches;
  }

  /** The value of a text that is a placeholder and nothing else. */
  valueOf(placeholder: string, scope: RowScope): Scalar | undefined {
    return this.#value(/^\{\{\s*(.*?)\s*\}\}$/.exec(placeholder)?.[1] ?? '', scope);
  }

  /** A list that no element of was needed counts as used, too. */
  use(list: string): void {
    this.#used.add(list);
  }

  /** What was not filled in and what was not asked for. */
  notes(): { notes?: string[] } {
    const unused = [...this.#values.keys()].filter((name) => !this.#used.has(name));
    const notes = [
      ...this.#unfilled().map((name) => `{{${name}}} has no value and stays as it is`),
      ...unused.map((name) => `The document has no place for ${name}`),
    ];
    return notes.length === 0 ? {} : { notes };
  }

  /** The template of a row that was repeated may stay among the strings of a workbook, where nothing shows it. */
  #unfilled(): string[] {
    const emptied = (name: string): boolean =>
      this.#used.has(listName(name)) && this.list(listName(name))?.length === 0;
    return [...this.#missing].filter((name) => !this.#filled.has(name) && !emptied(name));
  }

  #value(name: string, scope: RowScope | undefined): Scalar | undefined {
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

/** `items` of `items.price`. */
export const listName = (name: string): string => name.slice(0, Math.max(0, name.indexOf('.')));
