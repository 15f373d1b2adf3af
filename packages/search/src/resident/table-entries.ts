/** The tables that are in memory or being loaded, in the order of their searches. */
import type { ResidentTable } from './resident-table.ts';

export interface TableEntry {
  resident: ResidentTable;
  searchedAt: number;
  /** Resolves to false when there is no such table. */
  loaded: Promise<boolean>;
  /** A second instance that is being loaded to take its place. */
  successor: ResidentTable | null;
  renewedAt: number;
}

export class TableEntries {
  /** Least recently searched first. */
  readonly #entries = new Map<string, TableEntry>();

  get size(): number {
    return this.#entries.size;
  }

  /** Memory of all tables in bytes. */
  get bytes(): number {
    let bytes = 0;
    for (const { resident, successor } of this.#entries.values()) {
      bytes += resident.byteLength + (successor?.byteLength ?? 0);
    }
    return bytes;
  }

  /** Returns the tables, least recently searched first. */
  all(): TableEntry[] {
    return [...this.#entries.values()];
  }

  get(name: string): TableEntry | undefined {
    return this.#entries.get(name);
  }

  set(entry: TableEntry): void {
    this.#entries.set(entry.resident.table.name, entry);
  }

  /** Notes a search of the table. */
  touch(entry: TableEntry, now: number): void {
    const { name } = entry.resident.table;
    entry.searchedAt = now;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
  }

  /** Returns whether the instance is that of its table, or its successor. */
  has(resident: ResidentTable): boolean {
    const entry = this.#entries.get(resident.table.name);
    return entry?.resident === resident || entry?.successor === resident;
  }

  /** Releases the instance, and removes its table unless it was replaced. */
  release(resident: ResidentTable): void {
    const { name } = resident.table;
    const entry = this.#entries.get(name);
    resident.release();
    if (entry?.resident !== resident) return;
    entry.successor?.release();
    this.#entries.delete(name);
  }
}
