/** State of a connector in memory. Only imported by tests. */
import type { ConnectorState, ListingPage } from '../connector.ts';

export class MemoryState implements ConnectorState {
  #values = new Map<string, string>();

  async get(key: string): Promise<string | null> {
    return this.#values.get(key) ?? null;
  }

  async scan(prefix: string, after: string, limit: number): Promise<readonly (readonly [string, string])[]> {
    return [...this.#values]
      .filter(([key]) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0)
      .toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
      .slice(0, limit);
  }

  /** Stores the changes of a page. */
  apply(changes: ListingPage['state'] = {}): void {
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) this.#values.delete(key);
      else this.#values.set(key, value);
    }
  }

  snapshot(): ReadonlyMap<string, string> {
    return new Map(this.#values);
  }

  restore(values: ReadonlyMap<string, string>): void {
    this.#values = new Map(values);
  }

  clear(): void {
    this.#values.clear();
  }
}
