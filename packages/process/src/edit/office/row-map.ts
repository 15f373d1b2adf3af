/** Maps the rows of a sheet to their numbers after some of them were repeated. Rows count from 1. */
export interface Repetition {
  row: number;
  /** Number of copies; 0 removes the row. */
  count: number;
}

export class RowMap {
  readonly #repetitions: readonly Repetition[];
  /** Number of rows that the repetitions before each one add. */
  readonly #added: number[] = [];
  readonly #counts: ReadonlyMap<number, number>;

  constructor(repetitions: readonly Repetition[]) {
    this.#repetitions = repetitions.toSorted((a, b) => a.row - b.row);
    let added = 0;
    for (const { count } of this.#repetitions) {
      this.#added.push(added);
      added += count - 1;
    }
    this.#added.push(added);
    this.#counts = new Map(this.#repetitions.toReversed().map(({ row, count }) => [row, count]));
  }

  /** Returns the row's new number; for a repeated row, the number of its first copy. */
  first(row: number): number {
    let low = 0;
    let high = this.#repetitions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#repetitions[middle]?.row ?? row) < row) low = middle + 1;
      else high = middle;
    }
    return row + (this.#added[low] ?? 0);
  }

  /** Returns the new number of the row's last copy, which is where a range that ends in the row ends. */
  last(row: number): number {
    return this.first(row) + Math.max(0, (this.#counts.get(row) ?? 1) - 1);
  }
}

const STRING_OR_RANGE =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'!\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?|(?<![\w.!$])(\$?[A-Z]{1,3}\$?)(\d{1,7})(?::(\$?[A-Z]{1,3}\$?)(\d{1,7}))?(?![\w(!.])/g;

/**
 * Returns the formula with the row numbers after the change, for references to its own sheet. A range over a repeated
 * row grows by the copies. `own` is set for a formula in a copy of a repeated row: it refers to the row `from` of the
 * original, which is the row `to` in this copy.
 */
export function moveReferences(formula: string, map: RowMap, own: { from: number; to: number } | undefined): string {
  return formula.replace(
    STRING_OR_RANGE,
    (written: string, column?: string, row?: string, lastColumn?: string, lastRow?: string) => {
      if (column === undefined || row === undefined) return written;
      const isOwn = (number: string): boolean => own !== undefined && Number(number) === own.from;
      const first = isOwn(row) ? own?.to : map.first(Number(row));
      if (lastColumn === undefined || lastRow === undefined) return `${column}${first}`;
      const last = isOwn(lastRow) ? own?.to : map.last(Number(lastRow));
      return `${column}${first}:${lastColumn}${last}`;
    },
  );
}
