/**
 * Coalesces the rows of many documents into few commits. A commit costs 5 ms on a disk and 70 ms on S3 whether it holds
 * one chunk or two thousand (1,100 chunks/s with a commit per document, 8,000 coalesced), so rows that arrive while a
 * table's commit runs go into the next one. The writer also requests `optimize` for tables that need it.
 */
import { FairQueue } from '@quire/shared/fair-queue';
import { FairShares } from '@quire/shared/fair-shares';
import type { AddOptions, IndexRow, IndexTable, SearchIndex } from './search-index.ts';

export interface IndexWriterOptions {
  /**
   * Enqueues a job that optimises the table. It is called again only after the table has grown by as much again and
   * 0.12 ms per row have passed (two minutes for a million rows). Resolves to false when such a job runs already.
   */
  requestOptimize: (table: IndexTable) => Promise<boolean>;
  /** Receives errors that no caller waits for: a failed `requestOptimize` or failed table statistics. */
  onError: (error: unknown) => void;
  maxRowsPerCommit?: number;
  /** Maximum number of tables written concurrently. */
  maxTables?: number;
  /**
   * Minimum interval between two commits of a table in milliseconds, three times as long after a commit of several
   * writes. A full batch and the first write after a pause are committed at once.
   */
  commitIntervalMs?: number;
  /** Returns on whose behalf the caller writes; commits are shared out fairly among owners. Default: one owner. */
  presentOwner?: () => string;
  /** Time without writes after which the last rows of a table are indexed too, in milliseconds. */
  idleMs?: number;
}

interface Write {
  rows: readonly IndexRow[];
  isBuild: boolean;
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface TableQueue {
  table: IndexTable;
  /** Owner of the table's rows. */
  owner: string;
  rank: number;
  isWaiting: boolean;
  writes: Write[];
  /** Last known row count plus the rows written since; undefined until the first read. */
  size: { rows: number; unindexedRows: number; fragments: number } | undefined;
  idle: NodeJS.Timeout | undefined;
  /** Earliest time of the next commit, unless a full batch is waiting. */
  nextCommitAt: number;
  commitTimer: NodeJS.Timeout | undefined;
}

const MAX_ROWS_PER_COMMIT = 2000;
const MAX_TABLES = 2;
/** A commit takes about 10 ms of CPU time: without an interval each would hold two documents. */
const COMMIT_INTERVAL_MS = 40;
/** Factor on the interval after a commit of several documents: more will follow, and 65 commits cost an `optimize`. */
const BUSY_INTERVAL_FACTOR = 3;
/** Number of waiting rows that are committed without waiting for the interval. */
const FULL_BATCH_ROWS = 500;
const IDLE_MS = 5000;
/** Bounds on unindexed rows and fragments, above which queries become slower (12 ms per 1,000 unindexed rows). */
const MIN_UNINDEXED_ROWS = 2_000;
const MAX_UNINDEXED_ROWS = 10_000;
const UNINDEXED_SHARE = 0.1;
const FRAGMENTS = 64;
const ROWS_PER_FRAGMENT = 5_000;
/** Optimising rewrites the whole table, which takes about 40 s of CPU time for a million rows. */
const OPTIMIZE_EVERY_MS_PER_ROW = 0.12;
/** Share of the rows of an idle table that may stay unindexed. */
const IDLE_UNINDEXED_SHARE = 0.001;

export class IndexWriter {
  readonly #index: SearchIndex;
  readonly #options: Required<IndexWriterOptions>;
  readonly #queues = new Map<string, TableQueue>();
  readonly #shares = new FairShares();
  /** The tables with waiting writes that are not being written; those of one owner in order of arrival. */
  readonly #waiting = new FairQueue<TableQueue>(this.#shares);
  readonly #running = new Map<string, Promise<void>>();
  /** Earliest time of the next optimisation, by table. */
  readonly #optimizeAfter = new Map<string, number>();
  #closing = false;

  constructor(index: SearchIndex, options: IndexWriterOptions) {
    this.#index = index;
    this.#options = {
      maxRowsPerCommit: MAX_ROWS_PER_COMMIT,
      maxTables: MAX_TABLES,
      commitIntervalMs: COMMIT_INTERVAL_MS,
      idleMs: IDLE_MS,
      presentOwner: () => '',
      ...options,
    };
  }

  /** Resolves when the rows are committed, and searchable unless `isBuild`. Callers wait for it as back-pressure. */
  async write(table: IndexTable, rows: readonly IndexRow[], { isBuild = false }: AddOptions = {}): Promise<void> {
    const parts = [];
    for (let start = 0; start < rows.length; start += this.#options.maxRowsPerCommit) {
      parts.push(this.#enqueue(table, rows.slice(start, start + this.#options.maxRowsPerCommit), isBuild));
    }
    await Promise.all(parts);
  }

  /** Commits all waiting writes. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const queue of this.#queues.values()) if (queue.commitTimer !== undefined) this.#scheduleNow(queue);
    while (this.#running.size > 0) await Promise.all(this.#running.values());
    for (const queue of this.#queues.values()) clearTimeout(queue.idle);
  }

  #enqueue(table: IndexTable, rows: readonly IndexRow[], isBuild: boolean): Promise<void> {
    const queue = this.#queues.get(table.name) ?? {
      table,
      owner: this.#options.presentOwner(),
      rank: 0,
      isWaiting: false,
      writes: [],
      size: undefined,
      idle: undefined,
      nextCommitAt: 0,
      commitTimer: undefined,
    };
    this.#queues.set(table.name, queue);
    clearTimeout(queue.idle);
    const { promise, resolve, reject } = withResolvers();
    queue.writes.push({ rows, isBuild, resolve, reject });
    if (!this.#running.has(table.name)) this.#plan(queue);
    return promise;
  }

  #plan(queue: TableQueue): void {
    const waitMs = queue.nextCommitAt - performance.now();
    const rows = queue.writes.reduce((sum, write) => sum + write.rows.length, 0);
    if (waitMs <= 0 || rows >= FULL_BATCH_ROWS || this.#closing) this.#scheduleNow(queue);
    else queue.commitTimer ??= setTimeout(() => this.#scheduleNow(queue), waitMs);
  }

  #scheduleNow(queue: TableQueue): void {
    clearTimeout(queue.commitTimer);
    queue.commitTimer = undefined;
    if (!queue.isWaiting) this.#waiting.add(queue);
    queue.isWaiting = true;
    this.#start();
  }

  #start(): void {
    while (this.#running.size < this.#options.maxTables) {
      const queue = this.#waiting.take();
      if (queue === undefined) return;
      queue.isWaiting = false;
      this.#running.set(queue.table.name, this.#run(queue));
    }
  }

  /** Runs one commit, then lets the next table run: a busy table does not block the others. */
  async #run(queue: TableQueue): Promise<void> {
    const { name } = queue.table;
    const giveBack = this.#shares.take(queue.owner);
    // Writes of the same tick share the first commit.
    await Promise.resolve();
    const writes = this.#nextBatch(queue);
    await this.#commit(queue, writes);
    await this.#watch(queue, writes).catch(this.#options.onError);
    giveBack();
    this.#running.delete(name);
    const factor = writes.length > 1 ? BUSY_INTERVAL_FACTOR : 1;
    queue.nextCommitAt = performance.now() + this.#options.commitIntervalMs * factor;
    if (queue.writes.length > 0) this.#plan(queue);
    else this.#retire(queue);
    this.#start();
  }

  #nextBatch(queue: TableQueue): Write[] {
    let rows = 0;
    const end = queue.writes.findIndex((write) => (rows += write.rows.length) > this.#options.maxRowsPerCommit);
    return queue.writes.splice(0, end < 0 ? queue.writes.length : Math.max(1, end));
  }

  async #commit(queue: TableQueue, writes: readonly Write[]): Promise<void> {
    try {
      await this.#index.add(
        queue.table,
        writes.flatMap((write) => write.rows),
        { isBuild: writes.every((write) => write.isBuild) },
      );
      for (const write of writes) write.resolve();
    } catch (error) {
      if (error instanceof RangeError && writes.length > 1) {
        // Invalid rows must fail only the write that contains them.
        for (const write of writes) await this.#commit(queue, [write]);
      } else {
        for (const write of writes) write.reject(error);
      }
    }
  }

  async #watch(queue: TableQueue, writes: readonly Write[]): Promise<void> {
    const { size } = queue;
    if (size !== undefined) {
      const rows = writes.reduce((sum, write) => sum + write.rows.length, 0);
      size.rows += rows;
      size.unindexedRows += rows;
      size.fragments += 1;
      if (!isDue(size)) return;
    }
    if (performance.now() < this.#mayOptimizeAt(queue.table)) return;
    // Read again, since another process may have optimised the table meanwhile.
    queue.size = await this.#index.stats(queue.table);
    const due = queue.size;
    if (due === undefined || !isDue(due)) return;
    queue.size = { rows: due.rows, unindexedRows: 0, fragments: 0 };
    if (!(await this.#requestOptimize(queue.table, due.rows))) queue.size = due;
  }

  /**
   * Schedules the indexing of an idle table's last rows: scanned rows rank slightly worse (CACM .449, indexed .465).
   */
  #retire(queue: TableQueue): void {
    const waitMs = Math.max(this.#options.idleMs, this.#mayOptimizeAt(queue.table) - performance.now());
    queue.idle = setTimeout(() => {
      this.#queues.delete(queue.table.name);
      this.#optimizeRest(queue).catch(this.#options.onError);
    }, waitMs);
    queue.idle.unref();
  }

  async #optimizeRest(queue: TableQueue): Promise<void> {
    const { table } = queue;
    this.#optimizeAfter.delete(table.name);
    const stats = await this.#index.stats(table);
    if (stats === undefined || stats.unindexedRows <= stats.rows * IDLE_UNINDEXED_SHARE) return;
    if (await this.#requestOptimize(table, stats.rows)) return;
    // The running job may have missed the last rows. A later write schedules them itself.
    if (this.#closing || this.#queues.has(table.name)) return;
    this.#queues.set(table.name, queue);
    this.#retire(queue);
  }

  #mayOptimizeAt({ name }: IndexTable): number {
    return this.#optimizeAfter.get(name) ?? 0;
  }

  async #requestOptimize(table: IndexTable, rows: number): Promise<boolean> {
    const now = performance.now();
    for (const [name, time] of this.#optimizeAfter) if (time < now) this.#optimizeAfter.delete(name);
    this.#optimizeAfter.set(table.name, now + rows * OPTIMIZE_EVERY_MS_PER_ROW);
    return this.#options.requestOptimize(table);
  }
}

function isDue({
  rows,
  unindexedRows,
  fragments,
}: {
  rows: number;
  unindexedRows: number;
  fragments: number;
}): boolean {
  const fewRows = Math.min(MAX_UNINDEXED_ROWS, Math.max(MIN_UNINDEXED_ROWS, rows * UNINDEXED_SHARE));
  return unindexedRows > fewRows || fragments > Math.max(FRAGMENTS, rows / ROWS_PER_FRAGMENT);
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  return { promise, resolve, reject };
}
