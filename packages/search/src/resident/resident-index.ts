/**
 * A search index in the memory of this process, derived from the records (`RowSource`). A search of a table that is not
 * loaded waits for it, at most `maxWaitMs`, and is then refused with `IndexUnavailableError`: an answer is never
 * partial. Writes only forward rows to tables that are loaded; the caller must have stored them in the records.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import { boundedWait } from '../memory/bounded-wait.ts';
import { CopyError } from '../memory/copy-channel.ts';
import { erasesDocuments, type DocumentRemoval } from '../memory/copy-protocol.ts';
import {
  IndexUnavailableError,
  type IndexFilter,
  type IndexHit,
  type IndexRow,
  type IndexStats,
  type IndexTable,
  type SearchIndex,
} from '../search-index.ts';
import type { ResidentTable } from './resident-table.ts';
import type { RecentTables } from './recent-tables.ts';
import { ResidentTables, type ResidentTablesOptions, type ResidentTablesStats } from './resident-tables.ts';
import type { RowSource } from './row-source.ts';

export interface ResidentIndexOptions extends ResidentTablesOptions {
  /** Maximum time that a search waits for its table, in ms. */
  maxWaitMs: number;
  /** True if this process answers searches: tables are loaded when they are written, before their first search. */
  serves: boolean;
  /** Interval of the polls for changes by other processes, in ms; null when there are none. */
  pollMs: number | null;
  /** The file that names the tables to preload; null for none. */
  recent: RecentTables | null;
}

export interface ResidentIndexStats extends ResidentTablesStats {
  /** Number of queries of tables; a hybrid search has two. */
  searches: number;
}

/**
 * Interval after a notification within which further ones share a poll, in ms. A process is also notified of its own
 * rows; most of them are forwarded by then and need not be read.
 */
const NOTIFIED_MS = 150;
const RETRY_SECONDS = 2;

export class ResidentIndex implements SearchIndex {
  readonly #source: RowSource;
  readonly #options: ResidentIndexOptions;
  readonly #tables: ResidentTables;
  #timer: NodeJS.Timeout | undefined;
  #refreshing: Promise<void> = Promise.resolve();
  #isDue = false;
  #searches = 0;
  #closed = false;

  constructor(source: RowSource, options: ResidentIndexOptions) {
    this.#source = source;
    this.#options = options;
    this.#tables = new ResidentTables(source, options);
    this.#schedule(options.pollMs);
  }

  get memoryStats(): ResidentIndexStats {
    return { ...this.#tables.stats, searches: this.#searches };
  }

  /** Loads the tables that were searched last, as far as they fit. Failures surface with their searches. */
  async preload(): Promise<void> {
    let bytes = 0;
    for (const table of (await this.#options.recent?.read()) ?? []) {
      bytes += table.bytes;
      if (bytes > this.#options.maxBytes || this.#closed) return;
      await this.#tables.load({ name: table.name, dimensions: table.dimensions }).catch(() => false);
    }
  }

  /** Loads a table. Rejects with `IndexUnavailableError` when it cannot be loaded. */
  async load(table: IndexTable): Promise<void> {
    await this.#tables.load(table);
  }

  /** Records the loaded tables for `preload`. */
  async remember(): Promise<void> {
    const tables = this.#tables.loaded.toReversed();
    await this.#options.recent?.write(tables.map(({ table, byteLength }) => ({ ...table, bytes: byteLength })));
  }

  /** Called when other processes may have changed the records. */
  notify(): void {
    if (this.#isDue || this.#options.pollMs === null) return;
    this.#isDue = true;
    this.#schedule(NOTIFIED_MS);
  }

  /** Applies the changes of other processes now. */
  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing
      .then(() => this.#tables.refresh())
      .catch((error: unknown) => {
        if (!this.#closed) this.#options.onError(error);
      });
    return this.#refreshing;
  }

  add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    const wrong = rows.find(({ vector }) => (vector?.length ?? null) !== table.dimensions);
    if (wrong !== undefined) {
      const given = wrong.vector?.length ?? 'no';
      return Promise.reject(
        new RangeError(`${table.name} has vectors of ${table.dimensions} dimensions, not ${given}`),
      );
    }
    if (this.#options.serves) this.#tables.expect(table);
    this.#tables.change(table.name, (resident) => resident.add(rows));
    return Promise.resolve();
  }

  async remove(table: IndexTable, documents: readonly DocumentRemoval[]): Promise<void> {
    this.#tables.change(table.name, (resident) => resident.remove(documents));
    if (erasesDocuments(documents)) await this.#options.snapshots?.remove(table.name);
  }

  searchSparse(
    table: IndexTable,
    terms: readonly QueryTerm[],
    limit: number,
    filter?: IndexFilter,
  ): Promise<IndexHit[]> {
    return this.#search(table, (resident) => resident.searchSparse(terms, limit, filter));
  }

  searchDense(table: IndexTable, vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]> {
    return this.#search(table, (resident) => resident.searchDense(vector, limit, filter));
  }

  async stats(table: IndexTable): Promise<IndexStats | undefined> {
    const loaded = this.#tables.loaded.find((resident) => resident.table.name === table.name);
    const rows = loaded?.rows ?? (await this.#source.find(table))?.rows;
    return rows === undefined ? undefined : { rows, unindexedRows: 0, fragments: 1 };
  }

  /** Loads the table if this process answers searches. Rows are indexed as they arrive. */
  async optimize(table: IndexTable): Promise<void> {
    if (!this.#options.serves) return;
    try {
      await this.#tables.load(table);
    } catch (error) {
      // Its searches report it.
      if (!(error instanceof IndexUnavailableError)) throw error;
    }
  }

  async reload(table: IndexTable): Promise<void> {
    await this.#options.snapshots?.remove(table.name);
    await this.#tables.reload(table);
  }

  async drop(table: IndexTable): Promise<void> {
    this.#tables.drop(table.name);
    await this.#options.snapshots?.remove(table.name);
  }

  /** Returns the names of the tables that are loaded or have a snapshot. */
  async list(): Promise<string[]> {
    const saved = (await this.#options.snapshots?.tables()) ?? [];
    return [...new Set([...saved, ...this.#tables.loaded.map(({ table }) => table.name)])];
  }

  /** Resolves when nothing is being loaded, changed or saved. */
  settled(): Promise<void> {
    return this.#tables.settled();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.remember().catch(this.#options.onError);
    await this.#tables.close();
    await this.#refreshing;
  }

  async #search(table: IndexTable, run: (resident: ResidentTable) => Promise<IndexHit[]>): Promise<IndexHit[]> {
    this.#searches += 1;
    const resident = this.#tables.ready(table) ?? (await this.#loaded(table));
    if (resident === undefined) return [];
    try {
      return await run(resident);
    } catch (error) {
      if (!(error instanceof CopyError)) throw error;
      this.#tables.fail(resident, error);
    }
    // The thread has ended, through no fault of this search: it is repeated once in the next thread.
    const next = await this.#loaded(table);
    return next === undefined ? [] : run(next).catch(unavailable);
  }

  /** Waits for the table; returns undefined when there is none. */
  async #loaded(table: IndexTable): Promise<ResidentTable | undefined> {
    const { maxWaitMs } = this.#options;
    const loading = this.#tables.load(table);
    const { soon, finish } = boundedWait(maxWaitMs);
    const loaded = await Promise.race([loading, soon.then(() => null)]).finally(finish);
    if (loaded === false) return undefined;
    const resident = loaded === null ? undefined : this.#tables.ready(table);
    if (resident !== undefined) return resident;
    throw new IndexUnavailableError('The search index of this collection is being loaded', RETRY_SECONDS);
  }

  #schedule(delayMs: number | null): void {
    if (delayMs === null || this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isDue = false;
      void this.refresh().then(() => this.#schedule(this.#isDue ? NOTIFIED_MS : this.#options.pollMs));
    }, delayMs).unref();
  }
}

function unavailable(error: unknown): never {
  if (!(error instanceof CopyError)) throw error;
  throw new IndexUnavailableError('The search index failed and is loaded again', RETRY_SECONDS, { cause: error });
}
