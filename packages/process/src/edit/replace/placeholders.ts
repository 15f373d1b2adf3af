/** Looks up the values of `{{name}}` placeholders and records which of them were used. */
import type { OperationOf } from '../operations.ts';
import type { Match } from './match-finder.ts';
import type { OutputBudget } from './output-budget.ts';

export const PLACEHOLDER = /\{\{\s*([\p{L}\p{N}_.-]+)\s*\}\}/gu;

type Values = OperationOf<'fillPlaceholders'>['values'];
type Scalar = string | number | boolean;
type Row = Readonly<Record<string, Scalar>>;

/** The list element that a repeated row is filled with. */
export interface RowScope {
  list: string;
  index: number;
}

export class PlaceholderValues {
  readonly #values: ReadonlyMap<string, Values[string]>;
  readonly #used = new Set<string>();
  readonly #missing = new Set<string>();
  /** Names of list fields that filled a row, or would have if the list had elements. */
  readonly #filled = new Set<string>();
  readonly #budget: OutputBudget;

  constructor(values: Values, budget: OutputBudget) {
    this.#values = new Map(Object.entries(values));
    this.#budget = budget;
  }

  list(name: string): readonly Row[] | undefined {
    const value = this.#values.get(name);
    return Array.isArray(value) ? value : undefined;
  }

  /** Returns the placeholders that have a value; the others are left as written. */
  matches(text: string, scope?: RowScope): Match[] {
    const matches: Match[] = [];
    for (const found of text.matchAll(PLACEHOLDER)) {
      const name = found[1] ?? '';
      const value = this.#value(name, scope);
      if (value !== undefined && scope !== undefined) this.#filled.add(name);
      if (value === undefined) {
        this.#missing.add(name);
        continue;
      }
      const replacement = String(value);
      this.#budget.insert(replacement.length);
      matches.push({ start: found.index, end: found.index + found[0].length, replacement });
    }
    return matches;
  }

  /** Returns the value of a text that consists of a single placeholder. */
  valueOf(placeholder: string, scope: RowScope): Scalar | undefined {
    return this.#value(/^\{\{\s*(.*?)\s*\}\}$/.exec(placeholder)?.[1] ?? '', scope);
  }

  /** Marks the list as used, also when it is empty. */
  use(list: string): void {
    this.#used.add(list);
  }

  /** Returns notes on placeholders without a value and on unused values. */
  notes(): { notes?: string[] } {
    const unused = [...this.#values.keys()].filter((name) => !this.#used.has(name));
    const notes = [
      ...this.#unfilled().map((name) => `{{${name}}} has no value and was left unchanged`),
      ...unused.map((name) => `The document has no placeholder for ${name}`),
    ];
    return notes.length === 0 ? {} : { notes };
  }

  /** Excludes templates of repeated rows, which may stay in a workbook's shared strings without being displayed. */
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

/** Returns `items` for `items.price`. */
export const listName = (name: string): string => name.slice(0, Math.max(0, name.indexOf('.')));
