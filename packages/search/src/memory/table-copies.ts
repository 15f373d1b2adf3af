/**
 * Manages the copies of all tables: loads them serially, evicts the least recently searched ones above the memory
 * budget, catches them up, saves snapshots, and drops copies that fail or are idle.
 */
import type { IndexTable } from '../search-index.ts';
import { CopyError, type CopyChannel, type CopyFailure } from './copy-channel.ts';
import { TableCopy } from './table-copy.ts';
import type { Snapshots } from './snapshots.ts';
import type { CopySource } from './copy-source.ts';
import { boundedWait } from './bounded-wait.ts';

export interface TableCopiesOptions {
  /** Memory budget of all copies in bytes; 0 disables copies. */
  maxBytes: number;
  /** Receives errors that no caller sees: a copy that could not be loaded or did not respond. */
  onError: (error: unknown) => void;
  /** The channel to the threads that hold the copies; closed with them. */
  channel: CopyChannel;
  /** The snapshot files from which copies are restored at the next start; null for none. */
  snapshots: Snapshots | null;
  /**
   * Maximum time a search waits for the copy of a small table that is being loaded, in milliseconds; 0 by default.
   * Right after a write, LanceDB has indexed only some of the rows, and the scores of the two kinds are not comparable.
   */
  maxWaitMs?: number;
}

export interface TableCopiesStats {
  tables: number;
  bytes: number;
  /** Number of copies that were dropped because they failed, by reason. */
  failures: Readonly<Record<CopyFailure, number>>;
}

export interface CopyEntry {
  readonly copy: TableCopy;
  searchedAt: number;
  /** Time of the last check that the table still exists and is the same one. */
  checkedAt: number;
  /** Resolves when the copy is ready, or will not be ready soon. */
  readonly soon: Promise<void>;
}

/** Time without a search after which a copy is dropped. */
const IDLE_MS = 30 * 60_000;
/** Back-off before another copy of a table is tried that was too large or failed. */
const RETRY_MS = 60_000;
/** Number of rows that load within a fraction of a second. */
const QUICK_ROWS = 3000;
/** Estimated memory of a row's terms and keys, without its vector. */
const ROW_BYTES = 300;

export class TableCopies {
  readonly #source: CopySource;
  readonly #options: TableCopiesOptions;
  /** Least recently searched first. */
  readonly #copies = new Map<string, CopyEntry>();
  /** Time of the next attempt, by table. */
  readonly #refused = new Map<string, number>();
  /** Measured bytes per row of tables that were too large, so that they are not loaded again to find out. */
  readonly #rowBytes = new Map<string, number>();
  /** The tail of the serial queue of loads, catch-ups and saves: each takes a core and a table's worth of memory. */
  #work: Promise<void> = Promise.resolve();
  readonly #busy = new Set<string>();
  /** Changes that were sent to copies and not confirmed yet. */
  readonly #changes = new Set<Promise<void>>();
  readonly #failures = { ended: 0, silent: 0, failed: 0 };
  #closed = false;

  constructor(source: CopySource, options: TableCopiesOptions) {
    this.#source = source;
    this.#options = options;
    options.channel.onLost = (error) => this.#lose(error);
  }

  get stats(): TableCopiesStats {
    return { tables: this.#copies.size, bytes: this.#bytes(), failures: { ...this.#failures } };
  }

  /** Returns the copy of a table that is searched, possibly still loading, or undefined when there can be none now. */
  searched(table: IndexTable): CopyEntry | undefined {
    if (!this.#copies.has(table.name)) this.#load(table);
    const kept = this.#copies.get(table.name);
    if (kept === undefined) return undefined;
    kept.searchedAt = Date.now();
    this.#copies.delete(table.name);
    this.#copies.set(table.name, kept);
    return kept;
  }

  /** Sends a change of the table to its copy, if it has one. */
  change(table: IndexTable, change: (copy: TableCopy) => Promise<void>): void {
    const copy = this.#copies.get(table.name)?.copy;
    if (copy === undefined) return;
    const changed = change(copy)
      .then(() => {
        if (copy.isStale && this.has(copy)) this.forget(table.name);
        this.#evict();
        this.#save(copy);
      })
      .catch((error: unknown) => this.fail(copy, error))
      .then(() => void this.#changes.delete(changed));
    this.#changes.add(changed);
  }

  /** Schedules a catch-up with the rows that other processes have added. */
  catchUp(copy: TableCopy): void {
    if (this.#busy.has(copy.table.name)) return;
    this.#enqueue(copy, async () => {
      if (!this.has(copy)) return;
      if (!(await copy.catchUp())) this.#refuse(copy, 0);
      this.#evict();
      this.#save(copy);
    });
  }

  /** Returns true if this is the current copy of its table. */
  has(copy: TableCopy): boolean {
    return this.#copies.get(copy.table.name)?.copy === copy;
  }

  /** Drops a copy that failed and backs off. Errors of a copy that was dropped already are ignored. */
  fail(copy: TableCopy, error: unknown): void {
    if (!this.has(copy)) return;
    this.#refuse(copy, RETRY_MS);
    this.#report(error);
  }

  /** Drops the copy of a table; a new one may be loaded at once. */
  forget(name: string): void {
    this.#copies.get(name)?.copy.release();
    this.#copies.delete(name);
    this.#refused.delete(name);
  }

  /** Drops the copy and the size estimate of a table that is dropped. */
  drop(name: string): void {
    this.forget(name);
    this.#rowBytes.delete(name);
  }

  /** Resolves when no copy is being loaded, changed or saved. */
  async settled(): Promise<void> {
    for (let work: unknown; work !== this.#work;) {
      work = this.#work;
      await work;
      await Promise.all(this.#changes);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const name of this.#copies.keys()) this.forget(name);
    await this.#options.channel.close();
    await this.settled();
  }

  #load(table: IndexTable): void {
    const { name } = table;
    if (this.#closed || this.#options.maxBytes === 0 || (this.#refused.get(name) ?? 0) > Date.now()) return;
    this.#refused.delete(name);
    const copy = new TableCopy(table, this.#source, this.#options.channel);
    const { soon, finish } = boundedWait(this.#options.maxWaitMs ?? 0);
    this.#copies.set(name, { copy, searchedAt: Date.now(), checkedAt: 0, soon });
    this.#enqueue(copy, async () => {
      const rows = (await this.#source.stats(table))?.rows;
      if (rows === undefined || rows > QUICK_ROWS) finish();
      const rowBytes = this.#rowBytes.get(name) ?? (table.dimensions ?? 0) * 2.2 + ROW_BYTES;
      const fits = rows !== undefined && rows * rowBytes <= this.#options.maxBytes;
      const file = this.#options.snapshots?.fileOf(name) ?? null;
      if (!fits || !(await copy.load(this.#options.maxBytes, rows, file))) {
        this.#refuse(copy, rows === undefined ? 0 : RETRY_MS);
        if (copy.isTooLarge) this.#rowBytes.set(name, copy.rowBytes);
      }
      this.#evict();
      this.#save(copy);
    });
    void this.#work.then(finish);
  }

  #save(copy: TableCopy): void {
    const { snapshots } = this.#options;
    if (snapshots === null || !this.has(copy) || !snapshots.takeTurn(copy)) return;
    this.#work = this.#work.then(async () => {
      if (this.#closed || !this.has(copy)) return;
      try {
        if (!(await snapshots.save(copy, () => this.#source.list()))) this.#refuse(copy, 0);
      } catch (error) {
        // The copy itself is intact, unless its thread has ended, which was reported already.
        if (!(error instanceof CopyError && error.reason !== 'failed')) this.#report(error);
      }
    });
  }

  #enqueue(copy: TableCopy, task: () => Promise<void>): void {
    const { name } = copy.table;
    this.#busy.add(name);
    this.#work = this.#work
      .then(task)
      .catch((error: unknown) => this.fail(copy, error))
      .then(() => void this.#busy.delete(name));
  }

  /**
   * Drops all copies when their thread is lost. The copy that was being loaded may be the cause and backs off; the
   * others may be loaded again at once. After a hang, a search may be the cause and would be repeated, so all back off.
   */
  #lose(error: CopyError): void {
    if (this.#closed) return;
    this.#report(error);
    const isSilent = error.reason === 'silent';
    for (const [name, { copy }] of this.#copies) this.#refuse(copy, isSilent || this.#busy.has(name) ? RETRY_MS : 0);
  }

  #report(error: unknown): void {
    if (this.#closed) return;
    this.#failures[error instanceof CopyError ? error.reason : 'failed'] += 1;
    this.#options.onError(error);
  }

  /** Drops a copy and backs off for `pauseMs`. */
  #refuse(copy: TableCopy, pauseMs: number): void {
    const { name } = copy.table;
    if (this.has(copy)) this.forget(name);
    copy.release();
    if (pauseMs > 0) this.#refused.set(name, Date.now() + pauseMs);
  }

  /** Drops idle copies, then the least recently searched ones until the rest fits the budget. */
  #evict(): void {
    const idleBefore = Date.now() - IDLE_MS;
    for (const [name, { copy, searchedAt }] of this.#copies) {
      const isIdle = searchedAt < idleBefore;
      if (!isIdle && this.#bytes() <= this.#options.maxBytes) return;
      // Backs off, or two tables that do not fit together would evict each other in turns.
      if (isIdle) this.forget(name);
      else this.#refuse(copy, RETRY_MS);
    }
  }

  #bytes(): number {
    let bytes = 0;
    for (const { copy } of this.#copies.values()) bytes += copy.byteLength;
    return bytes;
  }
}
