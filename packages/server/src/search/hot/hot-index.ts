/**
 * A search index that keeps copies of the tables that are searched in memory and answers from them: 100,000 rows in about
 * 100 MB and 2 ms. They are kept by a thread; here is decided which there are. Writes go to the index it wraps, and so do
 * searches of a table whose copy is still being loaded, is behind, does not answer, or would be larger than the memory for
 * all of them.
 */
import type { QueryTerm } from '../../language/analyse-query.ts';
import type { IndexFilter, IndexHit, IndexRow, IndexStats, IndexTable, SearchIndex } from '../search-index.ts';
import { HotCopyError, type HotChannel, type HotFailure } from './hot-channel.ts';
import { erasesDocuments, HotCopy } from './hot-copy.ts';
import type { HotSnapshots } from './hot-snapshots.ts';
import type { HotSource } from './hot-source.ts';

export interface HotIndexOptions {
  /** Memory for all copies; 0 for none. */
  maxBytes: number;
  /** Nobody else writes to these tables, so there is no need to look for it. */
  onlyWriter: boolean;
  /** Told of what no caller hears of: a copy that could not be loaded or did not answer. */
  onError: (error: unknown) => void;
  /** To where the copies are kept; closed with the index. */
  channel: HotChannel;
  /** Where copies outlive the process; null for nowhere. */
  snapshots: HotSnapshots | null;
  /** So long searches wait at most for the copy of a small table that is being loaded. Default 0. */
  patienceMs?: number;
}

export interface HotStats {
  tables: number;
  bytes: number;
  /** Searches answered by a copy, and by the index itself. */
  hot: number;
  cold: number;
  /** How often copies were given up, by why. */
  failures: Readonly<Record<HotFailure, number>>;
}

interface Entry {
  copy: HotCopy;
  searchedAt: number;
  /** When somebody last looked whether the table is still there. */
  lookedAt: number;
  /** Not to be saved again before. */
  savedUntil: number;
  /** Resolves when it can be asked, or will not be soon. */
  soon: Promise<void>;
}

/** The only writer of a table looks this seldom whether somebody has deleted it. */
const TRUSTED_MS = 1000;
/** A copy that nobody has searched for this long is given up. */
const IDLE_MS = 30 * 60_000;
/** A table that was too large, or failed, is looked at again after this. */
const RETRY_MS = 60_000;
/** Between two times that a copy is saved: it takes its memory twice, and some 0.3 s of CPU time for 100 MB. */
const SAVE_EVERY_MS = 5 * 60_000;
/** So many rows are loaded in a fraction of a second. */
const QUICK_ROWS = 3000;
/** Of a row without its vector: its terms and keys. */
const ROW_BYTES = 300;

export class HotIndex implements SearchIndex {
  readonly #source: HotSource;
  readonly #options: HotIndexOptions;
  /** Least recently searched first. */
  readonly #copies = new Map<string, Entry>();
  /** When a table may be tried again. */
  readonly #refused = new Map<string, number>();
  /** What a row took of the tables that turned out to be too large: they are not read again to learn the same. */
  readonly #rowBytes = new Map<string, number>();
  /** Loads and catch-ups, one after the other: they want a core and a table's worth of memory. */
  #work: Promise<void> = Promise.resolve();
  readonly #busy = new Set<string>();
  /** The file that is being written. */
  #saving: Promise<void> = Promise.resolve();
  /** Changes that were handed to copies. */
  readonly #changes = new Set<Promise<void>>();
  readonly #versions = new Map<string, Promise<number | undefined>>();
  #hot = 0;
  #cold = 0;
  readonly #failures = { ended: 0, silent: 0, failed: 0 };
  #closed = false;

  constructor(source: HotSource, options: HotIndexOptions) {
    this.#source = source;
    this.#options = options;
    options.channel.onLost = (error) => this.#lose(error);
  }

  get hotStats(): HotStats {
    const failures = { ...this.#failures };
    return { tables: this.#copies.size, bytes: this.#bytes(), hot: this.#hot, cold: this.#cold, failures };
  }

  async add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    await this.#source.add(table, rows);
    this.#update(table, (copy) => copy.add(rows));
  }

  async remove(
    table: IndexTable,
    documents: readonly { documentKey: bigint; belowRevision: number | null }[],
  ): Promise<void> {
    await this.#source.remove(table, documents);
    this.#update(table, (copy) => copy.remove(documents));
    if (!erasesDocuments(documents)) return;
    // A file that is being written holds them too.
    await this.#saving;
    await this.#options.snapshots?.remove(table.name);
  }

  searchSparse(
    table: IndexTable,
    terms: readonly QueryTerm[],
    limit: number,
    filter?: IndexFilter,
  ): Promise<IndexHit[]> {
    return this.#search(
      table,
      (copy) => copy.searchSparse(terms, limit, filter),
      () => this.#source.searchSparse(table, terms, limit, filter),
    );
  }

  searchDense(table: IndexTable, vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]> {
    return this.#search(
      table,
      (copy) => copy.searchDense(vector, limit, filter),
      () => this.#source.searchDense(table, vector, limit, filter),
    );
  }

  async stats(table: IndexTable): Promise<IndexStats | undefined> {
    const stats = await this.#source.stats(table);
    if (stats === undefined) this.#forget(table.name);
    return stats;
  }

  optimize(table: IndexTable): Promise<void> {
    return this.#source.optimize(table);
  }

  async drop(table: IndexTable): Promise<void> {
    this.#forget(table.name);
    this.#rowBytes.delete(table.name);
    await this.#source.drop(table);
    this.#forget(table.name);
    await this.#options.snapshots?.remove(table.name);
  }

  list(): Promise<string[]> {
    return this.#source.list();
  }

  /** Resolves when no copy is being loaded or brought up to date. */
  async settled(): Promise<void> {
    for (let work: unknown; work !== this.#work;) {
      work = this.#work;
      await work;
      await Promise.all(this.#changes);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const name of this.#copies.keys()) this.#forget(name);
    await this.#options.channel.close();
    await this.settled();
    await this.#source.close();
  }

  async #search(
    table: IndexTable,
    askCopy: (copy: HotCopy) => Promise<IndexHit[]>,
    askSource: () => Promise<IndexHit[]>,
  ): Promise<IndexHit[]> {
    // An answer that is at hand is not awaited: each promise costs a search 2 us.
    const found = this.#current(table);
    const copy = found instanceof Promise ? await found : found;
    if (copy !== undefined) {
      try {
        const hits = await askCopy(copy);
        this.#hot += 1;
        return hits;
      } catch (error) {
        if (!(error instanceof HotCopyError)) throw error;
        this.#fail(copy, error);
      }
    }
    this.#cold += 1;
    return askSource();
  }

  /** The table's copy, when it holds all that the table does; otherwise sees to it that it soon will. */
  #current(table: IndexTable): HotCopy | undefined | Promise<HotCopy | undefined> {
    if (!this.#copies.has(table.name)) this.#load(table);
    const entry = this.#copies.get(table.name);
    if (entry === undefined) return undefined;
    const now = Date.now();
    entry.searchedAt = now;
    this.#copies.delete(table.name);
    this.#copies.set(table.name, entry);
    const isTrusted = this.#options.onlyWriter && now - entry.lookedAt < TRUSTED_MS;
    return entry.copy.isReady && isTrusted ? entry.copy : this.#checked(entry);
  }

  async #checked(entry: Entry): Promise<HotCopy | undefined> {
    const { copy } = entry;
    if (!copy.isReady) await entry.soon;
    if (!copy.isReady) return undefined;
    entry.lookedAt = Date.now();
    // It may be given up meanwhile.
    return (await this.#isCurrent(entry)) && copy.isReady ? copy : undefined;
  }

  async #isCurrent(entry: Entry): Promise<boolean> {
    const { copy } = entry;
    const { name } = copy.table;
    const version = await this.#version(copy.table);
    if (version === undefined && this.#copies.get(name) === entry) this.#forget(name);
    if (version === undefined || version === copy.version || this.#options.onlyWriter) return version !== undefined;
    this.#catchUp(copy);
    return false;
  }

  /**
   * Both queries of a search share a look. One that began earlier would not do: it may have missed what was added since.
   * Undefined for a table that does not open, too: its search will tell.
   */
  #version(table: IndexTable): Promise<number | undefined> {
    const shared = this.#versions.get(table.name);
    if (shared !== undefined) return shared;
    const looking = this.#source.version(table).catch(() => undefined);
    this.#versions.set(table.name, looking);
    queueMicrotask(() => this.#versions.delete(table.name));
    return looking;
  }

  #load(table: IndexTable): void {
    const { name } = table;
    if (this.#closed || this.#options.maxBytes === 0 || (this.#refused.get(name) ?? 0) > Date.now()) return;
    this.#refused.delete(name);
    const copy = new HotCopy(table, this.#source, this.#options.channel);
    const { soon, tell } = this.#soon();
    this.#copies.set(name, { copy, searchedAt: Date.now(), lookedAt: 0, savedUntil: 0, soon });
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

  /**
   * Right after rows were added LanceDB has indexed some of them and not others, whose scores do not compare. A copy that
   * will be there in a moment is worth waiting for.
   */
  #soon(): { soon: Promise<void>; tell: () => void } {
    const { patienceMs = 0 } = this.#options;
    let tell = (): void => undefined;
    if (patienceMs === 0) return { soon: Promise.resolve(), tell };
    const soon = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs).unref();
      tell = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return { soon, tell };
  }

  /** Once it has changed enough, and not too often. */
  #save(copy: HotCopy): void {
    const { snapshots } = this.#options;
    const { name } = copy.table;
    const entry = this.#copies.get(name);
    if (snapshots === null || entry?.copy !== copy || !copy.isWorthSaving || entry.savedUntil > Date.now()) return;
    entry.savedUntil = Date.now() + SAVE_EVERY_MS;
    this.#work = this.#work.then(() => {
      if (!this.#closed && this.#copies.get(name) === entry) this.#saving = this.#write(copy, snapshots);
      return this.#saving;
    });
  }

  async #write(copy: HotCopy, snapshots: HotSnapshots): Promise<void> {
    try {
      await snapshots.prepare();
      if (!(await copy.save(snapshots.fileOf(copy.table.name)))) this.#refuse(copy, 0);
      // It may have been dropped meanwhile.
      await snapshots.tidy(await this.#source.list());
    } catch (error) {
      // The copy itself is none the worse, unless its thread has ended, which has been told.
      if (!(error instanceof HotCopyError && error.reason !== 'failed')) this.#tell(error);
    }
  }

  #catchUp(copy: HotCopy): void {
    const { name } = copy.table;
    if (this.#busy.has(name)) return;
    this.#enqueue(copy, async () => {
      if (this.#copies.get(name)?.copy !== copy) return;
      if (!(await copy.catchUp())) this.#refuse(copy, 0);
      this.#evict();
      this.#save(copy);
    });
  }

  #enqueue(copy: HotCopy, task: () => Promise<void>): void {
    const { name } = copy.table;
    this.#busy.add(name);
    this.#work = this.#work
      .then(task)
      .catch((error: unknown) => this.#fail(copy, error))
      .then(() => void this.#busy.delete(name));
  }

  /** A copy that failed is given up for a while. One that was given up before has a right to fail. */
  #fail(copy: HotCopy, error: unknown): void {
    if (this.#copies.get(copy.table.name)?.copy !== copy) return;
    this.#refuse(copy, RETRY_MS);
    this.#tell(error);
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
    if (this.#copies.get(name)?.copy === copy) this.#forget(name);
    copy.release();
    if (pauseMs > 0) this.#refused.set(name, Date.now() + pauseMs);
  }

  #update(table: IndexTable, change: (copy: HotCopy) => Promise<void>): void {
    const copy = this.#copies.get(table.name)?.copy;
    if (copy === undefined) return;
    const changed = change(copy)
      .then(() => {
        if (copy.isStale && this.#copies.get(table.name)?.copy === copy) this.#forget(table.name);
        this.#evict();
        this.#save(copy);
      })
      .catch((error: unknown) => this.#fail(copy, error))
      .then(() => void this.#changes.delete(changed));
    this.#changes.add(changed);
  }

  #forget(name: string): void {
    this.#copies.get(name)?.copy.release();
    this.#copies.delete(name);
    this.#refused.delete(name);
  }

  /** Gives up what nobody searches, then what was searched the longest time ago, until the rest fits. */
  #evict(): void {
    const idleBefore = Date.now() - IDLE_MS;
    for (const [name, { copy, searchedAt }] of this.#copies) {
      const isIdle = searchedAt < idleBefore;
      if (!isIdle && this.#bytes() <= this.#options.maxBytes) return;
      // Two tables that do not fit together must not be loaded in turns.
      if (isIdle) this.#forget(name);
      else this.#refuse(copy, RETRY_MS);
    }
  }

  #bytes(): number {
    let bytes = 0;
    for (const { copy } of this.#copies.values()) bytes += copy.byteLength;
    return bytes;
  }
}
