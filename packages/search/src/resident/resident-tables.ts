/**
 * Manages the tables of this process: loads them on demand, catches them up with the records, evicts the least recently
 * searched ones above the memory budget, saves snapshots, and loads tables again that failed or hold many removed rows.
 */
import { CopyError, type CopyChannel, type CopyFailure } from '../memory/copy-channel.ts';
import type { Savable, Snapshots } from '../memory/snapshots.ts';
import { IndexUnavailableError, type IndexTable } from '../search-index.ts';
import { ResidentTable } from './resident-table.ts';
import type { RowSource } from './row-source.ts';

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
  bytes: number;
  /** Number of tables that were dropped because they failed, by reason. */
  failures: Readonly<Record<CopyFailure, number>>;
}

interface Entry {
  resident: ResidentTable;
  searchedAt: number;
  /** Resolves to false when there is no such table. */
  loaded: Promise<boolean>;
  /** A second instance that is being loaded to take its place. */
  successor: ResidentTable | null;
  renewedAt: number;
}

/** Time without a search after which a table is dropped. */
const IDLE_MS = 30 * 60_000;
/** Back-off of a table that failed, or was being loaded when its thread ended. */
const RETRY_MS = 5_000;
/** Back-off of a table that was too large. */
const LARGE_MS = 60_000;
/** Rows up to which a table is loaded beside larger ones, so that it need not wait for them. */
const QUICK_ROWS = 20_000;
/** Estimated memory of a row's terms and keys, without its vector. */
const ROW_BYTES = 300;
/** Minimum interval between two loads of a table that replace erased rows: at least, and per row. */
const RENEW_MS = 5 * 60_000;
const RENEW_MS_PER_ROW = 3;

export class ResidentTables {
  readonly #source: RowSource;
  readonly #options: Required<ResidentTablesOptions>;
  /** Least recently searched first. */
  readonly #entries = new Map<string, Entry>();
  /** Time and reason of the back-off, by table. */
  readonly #refused = new Map<string, { until: number; message: string }>();
  /** Tails of the serial queues of small and of large loads. */
  readonly #queues = { small: Promise.resolve(), large: Promise.resolve() };
  /** Changes and renewals that no caller awaits. Their promises do not reject. */
  readonly #background = new Set<Promise<void>>();
  readonly #failures = { ended: 0, silent: 0, failed: 0 };
  #saving: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(source: RowSource, options: ResidentTablesOptions) {
    this.#source = source;
    this.#options = { now: () => performance.now(), ...options };
    options.channel.onLost = (error) => this.#lose(error);
  }

  get stats(): ResidentTablesStats {
    const entries = [...this.#entries.values()];
    return {
      tables: entries.length,
      loading: entries.filter(({ resident }) => !resident.isReady).length,
      bytes: this.#bytes(),
      failures: { ...this.#failures },
    };
  }

  /** Returns the loaded tables, least recently searched first. */
  get loaded(): ResidentTable[] {
    return [...this.#entries.values()].flatMap(({ resident }) => (resident.isReady ? [resident] : []));
  }

  /** Returns the table if it can be searched now, and notes the search. */
  ready(name: string): ResidentTable | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    entry.searchedAt = this.#options.now();
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.resident.isReady ? entry.resident : undefined;
  }

  /**
   * Loads the table unless it is loaded or being loaded; resolves to false when there is no such table. Rejects with
   * `IndexUnavailableError` when it cannot be loaded now.
   */
  load(table: IndexTable): Promise<boolean> {
    const known = this.#entries.get(table.name);
    if (known !== undefined) return known.loaded;
    const refused = this.#refused.get(table.name);
    const now = this.#options.now();
    if (this.#closed) return Promise.reject(new IndexUnavailableError('The search index is closed', 5));
    if (refused !== undefined && refused.until > now) {
      const seconds = Math.ceil((refused.until - now) / 1000);
      return Promise.reject(new IndexUnavailableError(refused.message, seconds));
    }
    this.#refused.delete(table.name);
    const resident = new ResidentTable(table, this.#source, this.#options.channel);
    const loaded = this.#load(resident);
    loaded.catch(() => undefined);
    this.#entries.set(table.name, { resident, searchedAt: now, loaded, successor: null, renewedAt: now });
    return loaded;
  }

  /** Sends a change of the table to its instances. */
  change(name: string, change: (resident: ResidentTable) => Promise<void>): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    for (const resident of [entry.resident, ...(entry.successor ? [entry.successor] : [])]) {
      this.#inBackground(resident, async () => {
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
    const compared = await this.#source.compare(positions);
    const known = new Map(positions.map(({ name, position }) => [name, position]));
    await Promise.all(
      loaded.map(async (resident) => {
        const { name } = resident.table;
        const position = compared.get(name);
        if (position === undefined) this.#forget(resident);
        else if (position === null) await this.#catchUp(resident);
        else resident.advance(known.get(name) ?? '', position);
      }),
    );
  }

  /** Drops a table that failed and backs off. Errors of a table that was dropped already are ignored. */
  fail(resident: ResidentTable, error: unknown): void {
    if (!this.#has(resident)) return;
    this.#refuse(resident, RETRY_MS, 'The search index failed and is loaded again');
    this.#report(error);
  }

  /** Drops the table; the next search loads it again. */
  drop(name: string): void {
    const entry = this.#entries.get(name);
    if (entry !== undefined) this.#forget(entry.resident);
    this.#refused.delete(name);
  }

  /** Resolves when nothing is being loaded, changed or saved. */
  async settled(): Promise<void> {
    const { small, large } = this.#queues;
    await Promise.all([small, large, this.#saving, ...this.#background]);
    const isQuiet = small === this.#queues.small && large === this.#queues.large && this.#background.size === 0;
    if (!isQuiet) await this.settled();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { resident } of this.#entries.values()) this.#forget(resident);
    await this.#options.channel.close();
    await this.settled();
  }

  async #load(resident: ResidentTable): Promise<boolean> {
    const { table } = resident;
    try {
      const found = await this.#source.find(table);
      if (found === undefined) {
        this.#forget(resident);
        return false;
      }
      const queue = found.rows <= QUICK_ROWS ? 'small' : 'large';
      return await this.#enqueue(queue, () => this.#fill(resident, found.rows, found.identity));
    } catch (error) {
      if (error instanceof IndexUnavailableError) throw error;
      const wasCurrent = this.#has(resident);
      if (wasCurrent) this.#refuse(resident, error instanceof CopyError ? RETRY_MS : 0, 'The search index failed');
      if (wasCurrent) this.#report(error);
      throw new IndexUnavailableError('The search index could not be loaded', 5, { cause: error });
    }
  }

  async #fill(resident: ResidentTable, rows: number, identity: string): Promise<boolean> {
    const { table } = resident;
    const { maxBytes, snapshots } = this.#options;
    const isTooLarge = rows * ((table.dimensions ?? 0) * 2.2 + ROW_BYTES) > maxBytes;
    const file = snapshots?.fileOf(table.name) ?? null;
    const result = isTooLarge ? 'large' : await resident.load(rows, identity, maxBytes, file);
    if (result === 'large') {
      const message = `The index of ${rows} chunks does not fit into QUIRE_SEARCH_MEMORY (${maxBytes} bytes)`;
      this.#refuse(resident, LARGE_MS, message);
      throw new IndexUnavailableError(message, LARGE_MS / 1000);
    }
    if (result === 'gone') this.#forget(resident);
    else this.#tend(resident);
    return result === 'ready';
  }

  #enqueue<Result>(queue: 'small' | 'large', task: () => Promise<Result>): Promise<Result> {
    const done = this.#queues[queue].then(task);
    this.#queues[queue] = done.then(() => undefined).catch(() => undefined);
    return done;
  }

  async #catchUp(resident: ResidentTable): Promise<void> {
    try {
      if (await resident.catchUp()) this.#tend(resident);
      else this.#forget(resident);
    } catch (error) {
      if (error instanceof CopyError) this.fail(resident, error);
      else throw error;
    }
  }

  /** Evicts, renews and saves after a change of the table. */
  #tend(resident: ResidentTable): void {
    this.#evict();
    if (!this.#has(resident) || !resident.isReady) return;
    if (this.#mustRenew(resident)) this.#renew(resident);
    else this.#save(resident);
  }

  #mustRenew(resident: ResidentTable): boolean {
    const entry = this.#entries.get(resident.table.name);
    if (entry === undefined || entry.successor !== null) return false;
    if (resident.isStale) return true;
    const restMs = Math.max(RENEW_MS, resident.rows * RENEW_MS_PER_ROW);
    return resident.hasErased && this.#options.now() - entry.renewedAt >= restMs;
  }

  /** Loads the table a second time, without its removed rows, while the first instance is searched. */
  #renew(resident: ResidentTable): void {
    const { table } = resident;
    const entry = this.#entries.get(table.name);
    if (entry === undefined) return;
    if (this.#bytes() + resident.byteLength > this.#options.maxBytes) {
      this.#forget(resident);
      return;
    }
    const successor = new ResidentTable(table, this.#source, this.#options.channel);
    entry.successor = successor;
    this.#inBackground(resident, () =>
      this.#enqueue('large', async () => {
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

  #save(resident: ResidentTable): void {
    const { snapshots } = this.#options;
    if (snapshots === null || !snapshots.takeTurn(resident)) return;
    this.#saving = this.#saving.then(async () => {
      if (this.#closed || !this.#has(resident)) return;
      try {
        if (!(await snapshots.save(resident satisfies Savable, () => this.#savedNames(resident)))) {
          this.#forget(resident);
        }
      } catch (error) {
        // The table itself is intact, unless its thread has ended, which was reported already.
        if (!(error instanceof CopyError && error.reason !== 'failed')) this.#report(error);
      }
    });
  }

  /** Returns the tables whose snapshots are kept: those that exist. */
  async #savedNames(resident: ResidentTable): Promise<string[]> {
    const names = (await this.#options.snapshots?.tables()) ?? [];
    const compared = await this.#source.compare(names.map((name) => ({ name, position: null })));
    return [...compared.keys(), resident.table.name];
  }

  #inBackground(resident: ResidentTable, task: () => Promise<void>): void {
    const running = task().catch((error: unknown) => this.fail(resident, error));
    this.#background.add(running);
    void this.#forgetAfter(running);
  }

  async #forgetAfter(running: Promise<void>): Promise<void> {
    await running;
    this.#background.delete(running);
  }

  #has(resident: ResidentTable): boolean {
    const entry = this.#entries.get(resident.table.name);
    return entry?.resident === resident || entry?.successor === resident;
  }

  #forget(resident: ResidentTable): void {
    const { name } = resident.table;
    const entry = this.#entries.get(name);
    resident.release();
    if (entry?.resident !== resident) return;
    entry.successor?.release();
    this.#entries.delete(name);
  }

  #refuse(resident: ResidentTable, pauseMs: number, message: string): void {
    this.#forget(resident);
    if (pauseMs > 0) this.#refused.set(resident.table.name, { until: this.#options.now() + pauseMs, message });
  }

  /**
   * Drops all tables when their thread is lost. A table that was being loaded may be the cause and backs off; after a
   * hang a search may be the cause and would be repeated, so all back off.
   */
  #lose(error: CopyError): void {
    if (this.#closed) return;
    this.#report(error);
    for (const { resident } of this.#entries.values()) {
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
    for (const { resident, searchedAt } of this.#entries.values()) {
      if (searchedAt >= idleBefore && this.#bytes() <= this.#options.maxBytes) return;
      if (resident.isReady) this.#forget(resident);
    }
  }

  #bytes(): number {
    let bytes = 0;
    for (const { resident, successor } of this.#entries.values()) {
      bytes += resident.byteLength + (successor?.byteLength ?? 0);
    }
    return bytes;
  }
}
