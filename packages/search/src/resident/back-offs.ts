/** The tables that are not loaded for a while, with the reason that their searches are refused for. */
import { IndexUnavailableError } from '../search-index.ts';

export class BackOffs {
  readonly #now: () => number;
  readonly #refused = new Map<string, { until: number; message: string }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(table: string, durationMs: number, message: string): void {
    if (durationMs > 0) this.#refused.set(table, { until: this.#now() + durationMs, message });
  }

  end(table: string): void {
    this.#refused.delete(table);
  }

  /** Returns the refusal of a table that backs off, or undefined. */
  refusalOf(table: string): IndexUnavailableError | undefined {
    const refused = this.#refused.get(table);
    const restMs = refused === undefined ? 0 : refused.until - this.#now();
    if (refused === undefined || restMs <= 0) {
      this.#refused.delete(table);
      return undefined;
    }
    return new IndexUnavailableError(refused.message, Math.ceil(restMs / 1000));
  }
}
