/**
 * Manages the tables of this process: loads them on demand, catches them up with the records, evicts the least recently
 * searched ones above the memory budget, saves snapshots, and loads tables again that failed or hold many removed rows.
 */
import { boundedWait } from '../memory/bounded-wait.ts';
import { CopyError, type CopyChannel, type CopyFailure } from '../memory/copy-channel.ts';
import type { Snapshots } from '../memory/snapshots.ts';
import { vectorBytes } from '../memory/vector-store.ts';
import { MAX_VECTOR_BYTES } from '../memory/wasm-pages.ts';
import { IndexUnavailableError, type IndexTable } from '../search-index.ts';
import { BackOffs } from './back-offs.ts';
import { LoadQueues } from './load-queues.ts';
import { ResidentTable } from './resident-table.ts';
import type { RowSource } from './row-source.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import { TableEntries } from './table-entries.ts';

export interface ResidentTablesOptions {
  /** Memory budget of all tables in bytes. */
  maxBytes: number;
  /** Receives errors that no caller sees. */
  onError: (error: unknown) => void;
  /** The channel to the threads that hold the tables; closed with them. */
  channel: CopyChannel;
  /** The snapshot files for the next start; null for none. */
  snapshots: Snapshots | null;
  /** Returns the time of a monotonic clock, in ms. */
  now?: () => number;
}

export interface ResidentTablesStats {
  tables: number;
  loading: number;
  /** Rows of the tables that are being loaded: those loaded, and those expected. */
  loadingRows: number;
  expectedRows: number;
  bytes: number;
  /** Number of tables that were dropped because they failed, by reason. */
  failures: Readonly<Record<CopyFailure, number>>;
}

/** Time without a search after which a table is dropped. */
const IDLE_MS = 30 * 60_000;
/** Back-off of a table that failed, or was being loaded when its thread ended. */
const RETRY_MS = 5_000;
/** Back-off of a table that was too large. */
const LARGE_MS = 60_000;
/** Estimated memory of a row's terms and keys, without its vector. */
const ROW_BYTES = 300;
/** Minimum interval between two loads of a table that replace erased rows: at least, and per row. */
const RENEW_MS = 5 * 60_000;
const RENEW_MS_PER_ROW = 3;
/** Maximum size of a table that is saved when the index is closed, and maximum time for all of them, in ms. */
const MAX_LAST_BYTES = 2 ** 31;
const MAX_LAST_MS = 3_000;

export class ResidentTables {
  readonly #source: RowSource;
  readonly #options: Required<ResidentTablesOptions>;
  readonly #entries = new TableEntries();
  readonly #backOffs: BackOffs;
  readonly #queues = new LoadQueues();
  readonly #snapshots: SnapshotWriter;
  /** Changes and renewals that no caller awaits. Their promises do not reject. */
  readonly #background = new Set<Promise<void>>();
  readonly #failures = { ended: 0, silent: 0, failed: 0 };
  #closed = false;

  constructor(source: RowSource, options: ResidentTablesOptions) {
    this.#source = source;
    this.#options = { now: () => performance.now(), ...options };
    this.#backOffs = new BackOffs(this.#options.now);
    this.#snapshots = new SnapshotWriter({
      source,
      snapshots: options.snapshots,
      isCurrent: (resident) => !this.#closed && this.#entries.has(resident),
      onOutdated: (resident) => this.#entries.release(resident),
      onError: (error) => this.#report(error),
    });
    options.channel.onLost = (error) => this.#lose(error);
  }

  get stats(): ResidentTablesStats {
    const entries = this.#entries.all();
    const loading = entries.flatMap(({ resident }) => (resident.isReady ? [] : [resident]));
    return {
      tables: entries.length,
      loading: loading.length,
      loadingRows: loading.reduce((sum, { rows }) => sum + rows, 0),
      expectedRows: loading.reduce((sum, { expectedRows }) => sum + expectedRows, 0),
      bytes: this.#entries.bytes,
      failures: { ...this.#failures },
    };
  }

  /** Returns the loaded tables, least recently searched first. */
  get loaded(): ResidentTable[] {
    return this.#entries.all().flatMap(({ resident }) => (resident.isReady ? [resident] : []));
  }

  /** Returns the table if it can be searched now, and notes the search. */
  ready({ name, dimensions }: IndexTable): ResidentTable | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.resident.table.dimensions !== dimensions) return undefined;
    this.#entries.touch(entry, this.#options.now());
    return entry.resident.isReady ? entry.resident : undefined;
  }

  /**
   * Loads the table unless it is loaded or being loaded; resolves to false when there is no such table. Rejects with
   * `IndexUnavailableError` when it cannot be loaded now.
   */
  load(table: IndexTable): Promise<boolean> {
    const known = this.#entries.get(table.name);
    if (known !== undefined && known.resident.table.dimensions === table.dimensions) return known.loaded;
    // The dimensions of a new index may become known after its first load.
    if (known !== undefined) this.#entries.release(known.resident);
    if (this.#closed) return Promise.reject(new IndexUnavailableError('The search index is closed', 5));
    const refusal = this.#backOffs.refusalOf(table.name);
    if (refusal !== undefined) return Promise.reject(refusal);
    const now = this.#options.now();
    const resident = new ResidentTable(table, this.#source, this.#options.channel);
    const loaded = this.#load(resident);
    loaded.catch(() => undefined);
    this.#entries.set({ resident, searchedAt: now, loaded, successor: null, renewedAt: now });
    return loaded;
  }

  /** Loads a table that will be searched, unless that would evict others. */
  expect(table: IndexTable): void {
    if (this.#entries.get(table.name) !== undefined || this.#entries.bytes > this.#options.maxBytes / 2) return;
    void this.load(table).catch(() => undefined);
  }

  /** Loads the table a second time while it serves. Does nothing if it is not loaded. */
  async reload({ name }: IndexTable): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry !== undefined && (await entry.loaded)) await this.#renew(entry.resident);
  }

  /** Sends a change of the table to its instances. */
  change(name: string, change: (resident: ResidentTable) => Promise<void>): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    for (const resident of [entry.resident, ...(entry.successor ? [entry.successor] : [])]) {
      void this.#inBackground(resident, async () => {
        await change(resident);
        this.#tend(resident);
      });
    }
  }

  /** Catches up the tables that have changed in the records. */
  async refresh(): Promise<void> {
    const loaded = this.loaded;
    if (loaded.length === 0) return;
    const positions = loaded.flatMap(({ table, position }) =>
      position === null ? [] : [{ name: table.name, position }],
    );
    const [compared, successors] = await Promise.all([
      this.#source.compare(positions),
      this.#source.successors(positions.map(({ name }) => name)),
    ]);
    for (const table of successors) this.expect(table);
    const known = new Map(positions.map(({ name, position }) => [name, position]));
    await Promise.all(
      loaded.map(async (resident) => {
        const { name } = resident.table;
        const position = compared.get(name);
        if (position === undefined) this.#entries.release(resident);
        else if (position === null) await this.#catchUp(resident);
        else resident.advance(known.get(name) ?? '', position);
      }),
    );
  }

  /** Drops a table that failed and backs off. Errors of a table that was dropped already are ignored. */
  fail(resident: ResidentTable, error: unknown): void {
    if (!this.#entries.has(resident)) return;
    this.#refuse(resident, RETRY_MS, 'The search index failed and is loaded again');
    this.#report(error);
  }

  /** Drops the table; the next search loads it again. */
  drop(name: string): void {
    const entry = this.#entries.get(name);
    if (entry !== undefined) this.#entries.release(entry.resident);
    this.#backOffs.end(name);
  }

  /** Resolves when nothing is being loaded, changed or saved. */
  async settled(): Promise<void> {
    await Promise.all([this.#queues.settled(), this.#snapshots.settled(), ...this.#background]);
    if (!this.#queues.isIdle || this.#background.size > 0) await this.settled();
  }

  async close(): Promise<void> {
    await this.#saveLast();
    this.#closed = true;
    for (const { resident } of this.#entries.all()) this.#entries.release(resident);
    await this.#options.channel.close();
    await this.settled();
  }

  /** Writes snapshots for the next start, which otherwise reads all rows since the last ones. */
  async #saveLast(): Promise<void> {
    for (const resident of this.loaded) {
      if (resident.byteLength <= MAX_LAST_BYTES) this.#snapshots.offerLast(resident);
    }
    const { soon, finish } = boundedWait(MAX_LAST_MS);
    await Promise.race([this.#snapshots.settled(), soon]).finally(finish);
  }

  async #load(resident: ResidentTable): Promise<boolean> {
    const { table } = resident;
    try {
      const found = await this.#source.find(table);
      if (found === undefined) {
        this.#entries.release(resident);
        return false;
      }
      return await this.#queues.run(found.rows, () => this.#fill(resident, found.rows, found.identity));
    } catch (error) {
      if (error instanceof IndexUnavailableError) throw error;
      const wasCurrent = this.#entries.has(resident);
      if (wasCurrent) this.#refuse(resident, error instanceof CopyError ? RETRY_MS : 0, 'The search index failed');
      if (wasCurrent) this.#report(error);
      throw new IndexUnavailableError('The search index could not be loaded', 5, { cause: error });
    }
  }

  async #fill(resident: ResidentTable, rows: number, identity: string): Promise<boolean> {
    const { table } = resident;
    const { maxBytes, snapshots } = this.#options;
    if (vectorBytes(rows, table.dimensions ?? 0) > MAX_VECTOR_BYTES) {
      this.#refuseLarge(resident, `The vectors of ${rows} chunks exceed the 4 GB that the search index can hold`);
    }
    const isTooLarge = rows * ((table.dimensions ?? 0) * 2.2 + ROW_BYTES) > maxBytes;
    const file = snapshots?.fileOf(table.name) ?? null;
    const result = isTooLarge ? 'large' : await resident.load(rows, identity, maxBytes, file);
    if (result === 'large') {
      this.#refuseLarge(
        resident,
        `The index of ${rows} chunks does not fit into QUIRE_SEARCH_MEMORY (${maxBytes} bytes)`,
      );
    }
    if (result === 'gone') this.#entries.release(resident);
    else this.#tend(resident);
    return result === 'ready';
  }

  #refuseLarge(resident: ResidentTable, message: string): never {
    this.#refuse(resident, LARGE_MS, message);
    throw new IndexUnavailableError(message, LARGE_MS / 1000);
  }

  async #catchUp(resident: ResidentTable): Promise<void> {
    try {
      if (await resident.catchUp()) this.#tend(resident);
      else this.#entries.release(resident);
    } catch (error) {
      if (error instanceof CopyError) this.fail(resident, error);
      else throw error;
    }
  }

  /** Evicts, renews and saves after a change of the table. */
  #tend(resident: ResidentTable): void {
    this.#evict();
    if (!this.#entries.has(resident) || !resident.isReady) return;
    if (this.#mustRenew(resident)) void this.#renew(resident);
    else this.#snapshots.offer(resident);
  }

  #mustRenew(resident: ResidentTable): boolean {
    const entry = this.#entries.get(resident.table.name);
    if (entry === undefined || entry.successor !== null) return false;
    if (resident.isStale) return true;
    const restMs = Math.max(RENEW_MS, resident.rows * RENEW_MS_PER_ROW);
    return resident.hasErased && this.#options.now() - entry.renewedAt >= restMs;
  }

  /** Loads the table a second time, without its removed rows, while the first instance is searched. Never rejects. */
  async #renew(resident: ResidentTable): Promise<void> {
    const { table } = resident;
    const entry = this.#entries.get(table.name);
    if (entry === undefined || entry.successor !== null) return;
    if (this.#entries.bytes + resident.byteLength > this.#options.maxBytes) {
      this.#entries.release(resident);
      return;
    }
    const successor = new ResidentTable(table, this.#source, this.#options.channel);
    entry.successor = successor;
    await this.#inBackground(resident, () =>
      this.#queues.run(Infinity, async () => {
        const found = await this.#source.find(table);
        const result = found && (await successor.load(found.rows, found.identity, this.#options.maxBytes, null));
        entry.successor = null;
        if (result !== 'ready' || this.#entries.get(table.name) !== entry) {
          successor.release();
          return;
        }
        entry.resident = successor;
        entry.renewedAt = this.#options.now();
        resident.release();
        this.#tend(successor);
      }),
    );
  }

  #inBackground(resident: ResidentTable, task: () => Promise<void>): Promise<void> {
    const running = task().catch((error: unknown) => this.fail(resident, error));
    this.#background.add(running);
    void this.#forgetAfter(running);
    return running;
  }

  async #forgetAfter(running: Promise<void>): Promise<void> {
    await running;
    this.#background.delete(running);
  }

  #refuse(resident: ResidentTable, pauseMs: number, message: string): void {
    this.#entries.release(resident);
    this.#backOffs.begin(resident.table.name, pauseMs, message);
  }

  /**
   * Drops all tables when their thread is lost. A table that was being loaded may be the cause and backs off; after a
   * hang a search may be the cause and would be repeated, so all back off.
   */
  #lose(error: CopyError): void {
    if (this.#closed) return;
    this.#report(error);
    for (const { resident } of this.#entries.all()) {
      const mayBeCause = error.reason === 'silent' || !resident.isReady;
      this.#refuse(resident, mayBeCause ? RETRY_MS : 0, 'The thread of the search index has ended');
    }
  }

  #report(error: unknown): void {
    if (this.#closed) return;
    this.#failures[error instanceof CopyError ? error.reason : 'failed'] += 1;
    this.#options.onError(error);
  }

  /** Drops idle tables, then the least recently searched ones until the rest fits the budget. */
  #evict(): void {
    const idleBefore = this.#options.now() - IDLE_MS;
    for (const { resident, searchedAt } of this.#entries.all()) {
      if (searchedAt >= idleBefore && this.#entries.bytes <= this.#options.maxBytes) return;
      if (resident.isReady) this.#entries.release(resident);
    }
  }
}
