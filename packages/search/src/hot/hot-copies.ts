/**
 * Which tables have a copy: loads them one after the other, keeps them within the memory for all of them, brings them up to
 * date, has them saved, and gives up what fails or what nobody searches.
 */
import type { IndexTable } from '../search-index.ts';
import { HotCopyError, type HotChannel, type HotFailure } from './hot-channel.ts';
import { HotCopy } from './hot-copy.ts';
import type { HotSnapshots } from './hot-snapshots.ts';
import type { HotSource } from './hot-source.ts';
import { patience } from './patience.ts';

export interface HotCopiesOptions {
  /** Memory for all copies; 0 for none. */
  maxBytes: number;
  /** Told of what no caller hears of: a copy that could not be loaded or did not answer. */
  onError: (error: unknown) => void;
  /** To where the copies are kept; closed with them. */
  channel: HotChannel;
  /** Where copies outlive the process; null for nowhere. */
  snapshots: HotSnapshots | null;
  /**
   * So long searches wait at most for the copy of a small table that is being loaded, 0 by default. Right after rows were
   * added LanceDB has indexed some of them and not others, whose scores do not compare.
   */
  patienceMs?: number;
}

export interface HotCopiesStats {
  tables: number;
  bytes: number;
  /** How often copies were given up, by why. */
  failures: Readonly<Record<HotFailure, number>>;
}

export interface KeptCopy {
  readonly copy: HotCopy;
  searchedAt: number;
  /** When somebody last looked whether the table is still there, and the same. */
  lookedAt: number;
  /** Resolves when it can be asked, or will not be soon. */
  readonly soon: Promise<void>;
}

/** A copy that nobody has searched for this long is given up. */
const IDLE_MS = 30 * 60_000;
/** A table that was too large, or failed, is looked at again after this. */
const RETRY_MS = 60_000;
/** So many rows are loaded in a fraction of a second. */
const QUICK_ROWS = 3000;
/** Of a row without its vector: its terms and keys. */
const ROW_BYTES = 300;

export class HotCopies {
  readonly #source: HotSource;
  readonly #options: HotCopiesOptions;
  /** Least recently searched first. */
  readonly #copies = new Map<string, KeptCopy>();
  /** When a table may be tried again. */
  readonly #refused = new Map<string, number>();
  /** What a row took of the tables that turned out to be too large: they are not read again to learn the same. */
  readonly #rowBytes = new Map<string, number>();
  /** Loads, catch-ups and saves, one after the other: they want a core and a table's worth of memory. */
  #work: Promise<void> = Promise.resolve();
  readonly #busy = new Set<string>();
  /** Changes that were handed to copies. */
  readonly #changes = new Set<Promise<void>>();
  readonly #failures = { ended: 0, silent: 0, failed: 0 };
  #closed = false;

  constructor(source: HotSource, options: HotCopiesOptions) {
    this.#source = source;
    this.#options = options;
    options.channel.onLost = (error) => this.#lose(error);
  }

  get stats(): HotCopiesStats {
    return { tables: this.#copies.size, bytes: this.#bytes(), failures: { ...this.#failures } };
  }

  /** The copy of a table that is searched, which may still be loaded; undefined where there can be none for now. */
  searched(table: IndexTable): KeptCopy | undefined {
    if (!this.#copies.has(table.name)) this.#load(table);
    const kept = this.#copies.get(table.name);
    if (kept === undefined) return undefined;
    kept.searchedAt = Date.now();
    this.#copies.delete(table.name);
    this.#copies.set(table.name, kept);
    return kept;
  }

  /** Hands a change of the table to its copy, if there is one. */
  change(table: IndexTable, change: (copy: HotCopy) => Promise<void>): void {
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

  /** Sees to it that the copy soon holds what others have added. */
  catchUp(copy: HotCopy): void {
    if (this.#busy.has(copy.table.name)) return;
    this.#enqueue(copy, async () => {
      if (!this.has(copy)) return;
      if (!(await copy.catchUp())) this.#refuse(copy, 0);
      this.#evict();
      this.#save(copy);
    });
  }

  /** Whether it is its table's copy, and was not given up. */
  has(copy: HotCopy): boolean {
    return this.#copies.get(copy.table.name)?.copy === copy;
  }

  /** A copy that failed is given up for a while. One that was given up before has a right to fail. */
  fail(copy: HotCopy, error: unknown): void {
    if (!this.has(copy)) return;
    this.#refuse(copy, RETRY_MS);
    this.#tell(error);
  }

  /** Gives up the copy of a table, which may be made anew at once. */
  forget(name: string): void {
    this.#copies.get(name)?.copy.release();
    this.#copies.delete(name);
    this.#refused.delete(name);
  }

  /** As `forget`, of a table that is dropped: the next one of this name may be of another size. */
  drop(name: string): void {
    this.forget(name);
    this.#rowBytes.delete(name);
  }

  /** Resolves when none is being loaded, changed or saved. */
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
    const copy = new HotCopy(table, this.#source, this.#options.channel);
    const { soon, tell } = patience(this.#options.patienceMs ?? 0);
    this.#copies.set(name, { copy, searchedAt: Date.now(), lookedAt: 0, soon });
    this.#enqueue(copy, async () => {
      const rows = (await this.#source.stats(table))?.rows;
      if (rows === undefined || rows > QUICK_ROWS) tell();
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
    void this.#work.then(tell);
  }

  #save(copy: HotCopy): void {
    const { snapshots } = this.#options;
    if (snapshots === null || !this.has(copy) || !snapshots.takeTurn(copy)) return;
    this.#work = this.#work.then(async () => {
      if (this.#closed || !this.has(copy)) return;
      try {
        if (!(await snapshots.save(copy, () => this.#source.list()))) this.#refuse(copy, 0);
      } catch (error) {
        // The copy itself is none the worse, unless its thread has ended, which has been told.
        if (!(error instanceof HotCopyError && error.reason !== 'failed')) this.#tell(error);
      }
    });
  }

  #enqueue(copy: HotCopy, task: () => Promise<void>): void {
    const { name } = copy.table;
    this.#busy.add(name);
    this.#work = this.#work
      .then(task)
      .catch((error: unknown) => this.fail(copy, error))
      .then(() => void this.#busy.delete(name));
  }

  /**
   * All copies are gone with their thread. What it was loading may be the reason: that waits, others may be loaded at once.
   * When it fell silent a search may be the reason, and would be asked again.
   */
  #lose(error: HotCopyError): void {
    if (this.#closed) return;
    this.#tell(error);
    const isSilent = error.reason === 'silent';
    for (const [name, { copy }] of this.#copies) this.#refuse(copy, isSilent || this.#busy.has(name) ? RETRY_MS : 0);
  }

  #tell(error: unknown): void {
    if (this.#closed) return;
    this.#failures[error instanceof HotCopyError ? error.reason : 'failed'] += 1;
    this.#options.onError(error);
  }

  /** Gives a copy up, and does not try again before `pauseMs`. */
  #refuse(copy: HotCopy, pauseMs: number): void {
    const { name } = copy.table;
    if (this.has(copy)) this.forget(name);
    copy.release();
    if (pauseMs > 0) this.#refused.set(name, Date.now() + pauseMs);
  }

  /** Gives up what nobody searches, then what was searched the longest time ago, until the rest fits. */
  #evict(): void {
    const idleBefore = Date.now() - IDLE_MS;
    for (const [name, { copy, searchedAt }] of this.#copies) {
      const isIdle = searchedAt < idleBefore;
      if (!isIdle && this.#bytes() <= this.#options.maxBytes) return;
      // Two tables that do not fit together must not be loaded in turns.
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
