import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IndexWriter, type IndexWriterOptions } from './index-writer.ts';
import type { IndexHit, IndexRow, IndexStats, IndexTable, SearchIndex } from './search-index.ts';

/** Pauses commits until they are released, and records their rows. */
class HeldIndex implements SearchIndex {
  readonly commits: { table: string; keys: number[] }[] = [];
  readonly sizes = new Map<string, IndexStats>();
  #gates: (() => void)[] = [];
  hold = false;

  async add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    const bad = rows.find((row) => row.terms === 'bad');
    if (bad) throw new RangeError(`bad row ${bad.chunkKey}`);
    if (rows.some((row) => row.terms === 'offline')) throw new Error('storage is offline');
    this.commits.push({ table: table.name, keys: rows.map((row) => Number(row.chunkKey)) });
    const size = this.sizes.get(table.name) ?? { rows: 0, unindexedRows: 0, fragments: 0 };
    this.sizes.set(table.name, {
      rows: size.rows + rows.length,
      unindexedRows: size.unindexedRows + rows.length,
      fragments: size.fragments + 1,
    });
    if (this.hold) await new Promise<void>((resolve) => this.#gates.push(resolve));
  }

  /** Lets the running commits end and the next ones begin. */
  async release(): Promise<void> {
    const gates = this.#gates;
    this.#gates = [];
    for (const open of gates) open();
    await vi.advanceTimersByTimeAsync(0);
  }

  async stats(table: IndexTable): Promise<IndexStats | undefined> {
    return this.sizes.get(table.name);
  }
  async optimize(table: IndexTable): Promise<void> {
    const { rows } = this.sizes.get(table.name)!;
    this.sizes.set(table.name, { rows, unindexedRows: 0, fragments: 1 });
  }
  async remove(): Promise<void> {}
  async searchSparse(): Promise<IndexHit[]> {
    return [];
  }
  async searchDense(): Promise<IndexHit[]> {
    return [];
  }
  async drop(): Promise<void> {}
  async list(): Promise<string[]> {
    return [...this.sizes.keys()];
  }
  async close(): Promise<void> {}
}

const chunks: IndexTable = { name: 'chunks', dimensions: null };
const named = (name: string): IndexTable => ({ name, dimensions: null });
const row = (key: number, terms = 'wing'): IndexRow => ({ chunkKey: BigInt(key), documentKey: 1n, revision: 1, terms });
const rows = (from: number, count: number) => Array.from({ length: count }, (_, step) => row(from + step));

let index: HeldIndex;
let requests: string[];
let errors: unknown[];
const writerOf = (options: Partial<IndexWriterOptions> = {}) =>
  new IndexWriter(index, {
    requestOptimize: async (table) => {
      requests.push(table.name);
      return true;
    },
    onError: (error) => errors.push(error),
    commitIntervalMs: 0,
    ...options,
  });

beforeEach(() => {
  vi.useFakeTimers();
  index = new HeldIndex();
  requests = [];
  errors = [];
});
afterEach(() => {
  vi.useRealTimers();
  expect(errors).toEqual([]);
});

test('the table of one owner is committed before the waiting ones of another', async () => {
  let owner = 'a';
  const writer = writerOf({ maxTables: 1, commitIntervalMs: 0, presentOwner: () => owner });
  index.hold = true;
  const writes = ['a1', 'a2', 'a3'].map((name, at) => writer.write(named(name), [row(at)]));
  owner = 'b';
  writes.push(writer.write(named('b1'), [row(9)]));
  for (let commit = 0; commit < 4; commit += 1) {
    await vi.advanceTimersByTimeAsync(1);
    await index.release();
  }
  await Promise.all(writes);
  expect(index.commits.map(({ table }) => table)).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('coalesces the writes during a commit into the next commit', async () => {
  index.hold = true;
  const writer = writerOf();
  const first = writer.write(chunks, [row(1)]);
  await vi.advanceTimersByTimeAsync(0);
  const later = [writer.write(chunks, [row(2), row(3)]), writer.write(chunks, [row(4)])];
  await vi.advanceTimersByTimeAsync(0);
  expect(index.commits).toEqual([{ table: 'chunks', keys: [1] }]);
  await index.release();
  await first;
  expect(index.commits).toEqual([
    { table: 'chunks', keys: [1] },
    { table: 'chunks', keys: [2, 3, 4] },
  ]);
  await index.release();
  await Promise.all(later);
});

test('resolves only when the rows are committed', async () => {
  index.hold = true;
  let done = false;
  const written = writerOf()
    .write(chunks, [row(1)])
    .then(() => (done = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toBe(false);
  await index.release();
  await written;
  expect(done).toBe(true);
});

test('shares a commit among concurrent writes, up to the maximum size', async () => {
  const writer = writerOf({ maxRowsPerCommit: 5 });
  await Promise.all([1, 11, 21, 31].map((key) => writer.write(chunks, rows(key, 2))));
  expect(index.commits.map((commit) => commit.keys)).toEqual([
    [1, 2, 11, 12],
    [21, 22, 31, 32],
  ]);
});

test('splits a document that is larger than a commit', async () => {
  await writerOf({ maxRowsPerCommit: 2 }).write(chunks, rows(1, 5));
  expect(index.commits.map((commit) => commit.keys)).toEqual([[1, 2], [3, 4], [5]]);
});

test('writes several tables concurrently, up to the maximum, in turn', async () => {
  index.hold = true;
  const writer = writerOf({ maxTables: 2 });
  const writes = ['a', 'b', 'c', 'a'].map((name, key) => writer.write(named(name), [row(key)]));
  await vi.advanceTimersByTimeAsync(0);
  expect(index.commits.map((commit) => commit.table)).toEqual(['a', 'b']);
  await index.release();
  expect(index.commits.map((commit) => commit.table)).toEqual(['a', 'b', 'c']);
  await index.release();
  await Promise.all(writes);
});

test('waits between commits of a table, and coalesces the writes meanwhile', async () => {
  const writer = writerOf({ commitIntervalMs: 40 });
  await writer.write(chunks, [row(1)]);
  const written = [writer.write(chunks, [row(2)]), writer.write(chunks, [row(3)])];
  await vi.advanceTimersByTimeAsync(39);
  expect(index.commits.map((commit) => commit.keys)).toEqual([[1]]);
  await writer.write(named('other'), [row(4)]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(written);
  expect(index.commits.map((commit) => commit.keys)).toEqual([[1], [4], [2, 3]]);
  // Where several came together, more will.
  const next = writer.write(chunks, [row(5)]);
  await vi.advanceTimersByTimeAsync(119);
  expect(index.commits).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1);
  await next;
  expect(index.commits.at(-1)?.keys).toEqual([5]);
  await vi.advanceTimersByTimeAsync(40);
  await writer.write(chunks, [row(6)]);
  expect(index.commits.at(-1)?.keys).toEqual([6]);
});

test('commits at once when a batch is full or the writer closes', async () => {
  const writer = writerOf({ commitIntervalMs: 40 });
  await writer.write(chunks, [row(1)]);
  await writer.write(chunks, rows(10, 500));
  const last = writer.write(chunks, [row(2)]);
  await writer.close();
  await last;
  expect(index.commits.map((commit) => commit.keys.length)).toEqual([1, 500, 1]);
});

test('rejects exactly the writes of a failed commit', async () => {
  const writer = writerOf();
  const failed = [writer.write(chunks, [row(1, 'offline')]), writer.write(chunks, [row(2)])];
  expect((await Promise.allSettled(failed)).map((result) => result.status)).toEqual(['rejected', 'rejected']);
  await writer.write(chunks, [row(3)]);
  expect(index.commits).toEqual([{ table: 'chunks', keys: [3] }]);
});

test('invalid rows fail only their own write', async () => {
  const writer = writerOf();
  const results = await Promise.allSettled([
    writer.write(chunks, [row(1)]),
    writer.write(chunks, [row(2, 'bad')]),
    writer.write(chunks, [row(3)]),
  ]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(index.commits.flatMap((commit) => commit.keys)).toEqual([1, 3]);
});

test('requests optimize above 2,000 unindexed rows, and again after as many more', async () => {
  const writer = writerOf();
  await writer.write(chunks, rows(0, 2000));
  expect(requests).toEqual([]);
  await writer.write(chunks, rows(0, 1));
  await writer.close();
  expect(requests).toEqual(['chunks']);
  await vi.advanceTimersByTimeAsync(1000);
  await writer.write(chunks, rows(0, 2000));
  await writer.close();
  expect(requests).toEqual(['chunks']);
  await writer.write(chunks, rows(0, 1));
  await writer.close();
  expect(requests).toEqual(['chunks', 'chunks']);
});

test('requests optimize above a tenth of the rows of a large table', async () => {
  index.sizes.set('chunks', { rows: 50_000, unindexedRows: 4500, fragments: 1 });
  const writer = writerOf();
  await writer.write(chunks, rows(0, 500));
  await writer.close();
  expect(requests).toEqual([]);
  await writer.write(chunks, rows(0, 700));
  await writer.close();
  expect(requests).toEqual(['chunks']);
});

test('requests optimize of a million rows above 10,000 unindexed ones, at most every two minutes', async () => {
  index.sizes.set('chunks', { rows: 1_000_000, unindexedRows: 0, fragments: 1 });
  const writer = writerOf();
  await writer.write(chunks, rows(0, 10_000));
  expect(requests).toEqual([]);
  await writer.write(chunks, rows(0, 1));
  expect(requests).toEqual(['chunks']);
  await vi.advanceTimersByTimeAsync(119_000);
  await writer.write(chunks, rows(0, 20_000));
  expect(requests).toEqual(['chunks']);
  await vi.advanceTimersByTimeAsync(3_000);
  await writer.write(chunks, rows(0, 1));
  expect(requests).toEqual(['chunks', 'chunks']);
});

test('requests a postponed optimize once the table is idle', async () => {
  index.sizes.set('chunks', { rows: 1_000_000, unindexedRows: 0, fragments: 1 });
  const writer = writerOf({ idleMs: 1000 });
  await writer.write(chunks, rows(0, 10_001));
  await writer.write(chunks, rows(0, 10_001));
  await vi.advanceTimersByTimeAsync(119_000);
  expect(requests).toEqual(['chunks']);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(requests).toEqual(['chunks', 'chunks']);
});

test('does not optimise a large idle table for a few new rows', async () => {
  index.sizes.set('chunks', { rows: 100_000, unindexedRows: 0, fragments: 1 });
  const writer = writerOf({ idleMs: 1000 });
  await writer.write(chunks, rows(0, 100));
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests).toEqual([]);
  await writer.write(chunks, rows(0, 1));
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests).toEqual(['chunks']);
});

test('requests optimize above 64 fragments', async () => {
  const writer = writerOf();
  for (let key = 0; key < 64; key += 1) await writer.write(chunks, [row(key)]);
  await writer.close();
  expect(requests).toEqual([]);
  await writer.write(chunks, [row(64)]);
  await writer.close();
  expect(requests).toEqual(['chunks']);
});

test('requests nothing when another process has optimised meanwhile', async () => {
  const writer = writerOf();
  await writer.write(chunks, rows(0, 1500));
  await writer.close();
  await index.optimize(chunks);
  await writer.write(chunks, rows(0, 1500));
  await writer.close();
  expect(requests).toEqual([]);
});

test('indexes the last rows of an idle table', async () => {
  const writer = writerOf({ idleMs: 1000 });
  await writer.write(chunks, [row(1)]);
  await vi.advanceTimersByTimeAsync(900);
  await writer.write(chunks, [row(2)]);
  await vi.advanceTimersByTimeAsync(900);
  expect(requests).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(requests).toEqual(['chunks']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toEqual(['chunks']);
});

test('requests optimize again after a running one that missed the last rows', async () => {
  let isBusy = true;
  const requestOptimize = async ({ name }: IndexTable): Promise<boolean> => {
    requests.push(isBusy ? `${name} in vain` : name);
    return !isBusy;
  };
  const writer = writerOf({ requestOptimize, idleMs: 1000 });
  await writer.write(chunks, rows(0, 2001));
  expect(requests).toEqual(['chunks in vain']);
  await vi.advanceTimersByTimeAsync(500);
  await writer.write(chunks, [row(1)]);
  expect(requests.splice(0)).toEqual(['chunks in vain', 'chunks in vain']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(requests.splice(0)).toEqual(['chunks in vain', 'chunks in vain']);
  isBusy = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests).toEqual(['chunks']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toEqual(['chunks']);
});

test('reports a failed request without failing the write', async () => {
  const failure = new Error('queue is down');
  const writer = writerOf({ requestOptimize: () => Promise.reject(failure) });
  await writer.write(chunks, rows(0, 2001));
  await writer.close();
  expect(errors.splice(0)).toEqual([failure]);
});

test('writes nothing for no rows', async () => {
  await writerOf().write(chunks, []);
  expect(index.commits).toEqual([]);
});
