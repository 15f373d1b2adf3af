/**
 * Writes rows of many documents in few commits. A commit costs 5 ms on a disk and 70 ms on S3 whether it holds one chunk or
 * two thousand (1,100 chunks/s one document at a time, 8,000 grouped), so what is written to a table while its commit
 * runs goes into the next one. It also watches when a table has become due for `optimize`.
 */
import type { IndexRow, IndexTable, SearchIndex } from './search-index.ts';

export interface IndexWriterOptions {
  /**
   * Asks for a job that optimises the table; called again only after the table has grown by as much again, and not before
   * 0.12 ms for each of its rows have passed (two minutes for a million). False: one is at work already, ask again later.
   */
  requestOptimize: (table: IndexTable) => Promise<boolean>;
  /** Told of what no caller waits for: a failed request or a failed look at the table's size. */
  onError: (error: unknown) => void;
  maxRowsPerCommit?: number;
  /** Tables written at the same time. */
  maxTables?: number;
  /** Between two commits of a table, thrice after one of several writes, unless many rows wait. The first one after a while comes at once. */
  restMs?: number;
  /** How long a table must be left alone before its last rows are indexed too. */
  idleMs?: number;
}

interface Write {
  rows: readonly IndexRow[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface TableQueue {
  table: IndexTable;
  writes: Write[];
  /** Of the table when it was last looked at, plus what was written since. Undefined: not looked at yet. */
  size: { rows: number; unindexedRows: number; fragments: number } | undefined;
  idle: NodeJS.Timeout | undefined;
  /** The next commit comes then, unless there is enough for one before. */
  restsUntil: number;
  rest: NodeJS.Timeout | undefined;
}

const MAX_ROWS_PER_COMMIT = 2000;
const MAX_TABLES = 2;
/** A commit takes some 10 ms of CPU time: back to back they would hold two documents each. */
const REST_MS = 40;
/** After a commit of several documents the rest is so much longer: more will come, and 65 commits cost an `optimize`. */
const REST_IN_COMPANY = 3;
const ROWS_WORTH_A_COMMIT = 500;
const IDLE_MS = 5000;
/** Rows found by scanning and fragments that are read one by one: beyond this a query feels them (12 ms for 1,000 rows). */
const MIN_UNINDEXED_ROWS = 2_000;
const MAX_UNINDEXED_ROWS = 10_000;
const UNINDEXED_SHARE = 0.1;
const FRAGMENTS = 64;
const ROWS_PER_FRAGMENT = 5_000;
/** Optimising writes the whole table anew, some 40 s of CPU time for a million rows. */
const OPTIMIZE_EVERY_MS_PER_ROW = 0.12;
/** So few of a table that is left alone may stay unindexed. */
const RESTING_SHARE = 0.001;

export class IndexWriter {
  readonly #index: SearchIndex;
  readonly #options: Required<IndexWriterOptions>;
  readonly #queues = new Map<string, TableQueue>();
  /** Names of tables with writes, in the order they came, without those being written. */
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  /** When a table may be optimised again. */
  readonly #optimizeAfter = new Map<string, number>();
  #closing = false;

  constructor(index: SearchIndex, options: IndexWriterOptions) {
    this.#index = index;
    this.#options = {
      maxRowsPerCommit: MAX_ROWS_PER_COMMIT,
      maxTables: MAX_TABLES,
      restMs: REST_MS,
      idleMs: IDLE_MS,
      ...options,
    };
  }

  /** Resolves when the rows are committed, hence searchable. Waiting for it is a caller's back-pressure. */
  async write(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    const parts = [];
    for (let start = 0; start < rows.length; start += this.#options.maxRowsPerCommit) {
      parts.push(this.#enqueue(table, rows.slice(start, start + this.#options.maxRowsPerCommit)));
    }
    await Promise.all(parts);
  }

  /** Finishes what was given to it. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const queue of this.#queues.values()) if (queue.rest !== undefined) this.#endRest(queue);
    while (this.#running.size > 0) await Promise.all(this.#running.values());
    for (const queue of this.#queues.values()) clearTimeout(queue.idle);
  }

  #enqueue(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    const queue = this.#queues.get(table.name) ?? {
      table,
      writes: [],
      size: undefined,
      idle: undefined,
      restsUntil: 0,
      rest: undefined,
    };
    this.#queues.set(table.name, queue);
    clearTimeout(queue.idle);
    const { promise, resolve, reject } = withResolvers();
    queue.writes.push({ rows, resolve, reject });
    if (!this.#running.has(table.name)) this.#plan(queue);
    return promise;
  }

  #plan(queue: TableQueue): void {
    const restMs = queue.restsUntil - performance.now();
    const rows = queue.writes.reduce((sum, write) => sum + write.rows.length, 0);
    if (restMs <= 0 || rows >= ROWS_WORTH_A_COMMIT || this.#closing) this.#endRest(queue);
    else queue.rest ??= setTimeout(() => this.#endRest(queue), restMs);
  }

  #endRest(queue: TableQueue): void {
    clearTimeout(queue.rest);
    queue.rest = undefined;
    this.#waiting.add(queue.table.name);
    this.#start();
  }

  #start(): void {
    for (const name of this.#waiting) {
      if (this.#running.size >= this.#options.maxTables) return;
      const queue = this.#queues.get(name);
      this.#waiting.delete(name);
      if (queue !== undefined) this.#running.set(name, this.#run(queue));
    }
  }

  /** One commit, then the turn of the next table: a busy table does not keep the others waiting. */
  async #run(queue: TableQueue): Promise<void> {
    const { name } = queue.table;
    // Callers of the same tick share the first commit.
    await Promise.resolve();
    const writes = this.#nextBatch(queue);
    await this.#commit(queue, writes);
    await this.#watch(queue, writes).catch(this.#options.onError);
    this.#running.delete(name);
    queue.restsUntil = performance.now() + this.#options.restMs * (writes.length > 1 ? REST_IN_COMPANY : 1);
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
      );
      for (const write of writes) write.resolve();
    } catch (error) {
      if (error instanceof RangeError && writes.length > 1) {
        // Rows that do not fit the table are one caller's fault.
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
    // Looked at anew: another process may have optimised it meanwhile.
    queue.size = await this.#index.stats(queue.table);
    const due = queue.size;
    if (due === undefined || !isDue(due)) return;
    queue.size = { rows: due.rows, unindexedRows: 0, fragments: 0 };
    if (!(await this.#requestOptimize(queue.table, due.rows))) queue.size = due;
  }

  /** Of a table left alone the last rows are indexed too: scanned rows rank a little worse (CACM .449, indexed .465). */
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
    if (stats === undefined || stats.unindexedRows <= stats.rows * RESTING_SHARE) return;
    if (await this.#requestOptimize(table, stats.rows)) return;
    // One that is at work has not seen the last rows. Another write sees to them itself.
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
