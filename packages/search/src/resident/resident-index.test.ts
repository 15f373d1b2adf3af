// large: loads tables in worker threads
import { afterAll, describe, expect, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchIndexConformance } from '../conformance.ts';
import type { Worker } from 'node:worker_threads';
import { startCopyThread, ThreadChannel, type CopyChannel } from '../memory/copy-channel.ts';
import { Snapshots } from '../memory/snapshots.ts';
import { SplitChannel } from '../memory/split-channel.ts';
import { LocalChannel } from '../memory/testing/local-channel.ts';
import { rowOf } from '../memory/testing/wordy-rows.ts';
import { IndexUnavailableError, type IndexHit, type IndexTable } from '../search-index.ts';
import { RecentTables } from './recent-tables.ts';
import { ResidentIndex, type ResidentIndexOptions } from './resident-index.ts';
import { ArraySource } from './testing/array-source.ts';
import { RecordedIndex } from './testing/recorded-index.ts';

const directory = await mkdtemp(join(tmpdir(), 'quire-resident-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const fail = (error: unknown): never => {
  throw error;
};
const table: IndexTable = { name: 'chunks', dimensions: 3 };
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => rowOf(from + at));
const keysOf = (hits: readonly IndexHit[]) => hits.map((hit) => hit.chunkKey).toSorted((a, b) => Number(a - b));

function open(source: ArraySource, options: Partial<ResidentIndexOptions> = {}): ResidentIndex {
  return new ResidentIndex(source, {
    maxBytes: 2 ** 28,
    maxWaitMs: 60_000,
    serves: false,
    pollMs: null,
    onError: fail,
    channel: new LocalChannel(),
    snapshots: null,
    recent: null,
    ...options,
  });
}

describe.each([
  ['in this thread', () => new LocalChannel()],
  ['in two threads', () => new SplitChannel(new ThreadChannel(), new ThreadChannel(), 0)],
] satisfies [string, () => CopyChannel][])('conformance %s', (_name, channel) => {
  const records = new ArraySource();
  // Vectors are stored in 16 bits.
  searchIndexConformance(async () => new RecordedIndex(records, open(records, { channel: channel() })), 4, false);
});

test('refuses a search whose table takes too long to load, then answers whole', async () => {
  const records = new ArraySource();
  records.add(table, rows(0, 20));
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const read = records.read.bind(records);
  records.read = async (...input) => {
    await held;
    return read(...input);
  };
  const index = open(records, { maxWaitMs: 1 });
  await expect(index.searchSparse(table, ['wing'], 99)).rejects.toThrow(IndexUnavailableError);
  expect(index.memoryStats).toMatchObject({ loading: 1, tables: 1 });
  letGo();
  await index.settled();
  expect(await index.searchDense(table, Float32Array.of(1, 2, 3), 99)).toHaveLength(20);
  await index.close();
});

test('rows that were forwarded are not read from the records again', async () => {
  const records = new ArraySource();
  records.add(table, rows(0, 20));
  const index = open(records);
  await index.load(table);
  const read = records.read.bind(records);
  const passed: number[] = [];
  records.read = (of, since, changes, known) =>
    read(of, since, { ...changes, add: (batch) => (passed.push(batch.rows), changes.add(batch)) }, known);
  records.add(table, rows(20, 25));
  await index.add(table, rows(20, 25));
  await index.settled();
  records.add(table, rows(25, 28));
  await index.refresh();
  expect(passed).toEqual([3]);
  expect(await index.searchDense(table, Float32Array.of(1, 2, 3), 99)).toHaveLength(28);
  records.add(table, rows(28, 30));
  await index.refresh();
  expect(passed).toEqual([3, 2]);
  await index.close();
});

test('refuses searches of a table that exceeds the memory budget, and names the setting', async () => {
  const records = new ArraySource();
  records.add(table, rows(0, 50));
  const index = open(records, { maxBytes: 10_000 });
  await expect(index.searchSparse(table, ['wing'], 9)).rejects.toThrow('QUIRE_SEARCH_MEMORY');
  expect(index.memoryStats).toMatchObject({ tables: 0, bytes: 0 });
  await index.close();
});

test('refuses searches of a table with more vectors than the index can hold, and says so', async () => {
  const records = new ArraySource();
  records.add(table, rows(0, 50));
  const find = records.find.bind(records);
  records.find = async (of) => ({ ...(await find(of))!, rows: 80_000_000 });
  const index = open(records, { maxBytes: 2 ** 50 });
  await expect(index.searchSparse(table, ['wing'], 9)).rejects.toThrow('4 GB');
  expect(index.memoryStats).toMatchObject({ tables: 0, bytes: 0 });
  await index.close();
});

test('a process that answers searches loads what it writes, unless it takes much of the memory', async () => {
  const records = new ArraySource();
  const index = open(records, { serves: true, maxBytes: 250_000 });
  const names = ['first', 'second', 'third', 'fourth'];
  for (const name of names) {
    const written = { name, dimensions: 3 };
    records.add(written, rows(0, 200));
    await index.add(written, rows(0, 200));
    await index.settled();
  }
  expect(index.memoryStats).toMatchObject({ tables: 2, loading: 0, searches: 0 });
  await index.close();
});

test('loads a table that is being built to replace one that is searched', async () => {
  const records = new ArraySource();
  const next = { name: 'next', dimensions: 3 };
  for (const each of [table, next]) records.add(each, rows(0, 20));
  const index = open(records);
  await index.searchSparse(table, ['wing'], 9);
  await index.refresh();
  expect(index.memoryStats.tables).toBe(1);
  records.replacing.set(table.name, next);
  await index.refresh();
  await index.settled();
  expect(index.memoryStats).toMatchObject({ tables: 2, loading: 0 });
  await index.close();
});

test('serves a table while it loads it a second time from the records', async () => {
  const records = new ArraySource();
  records.add(table, rows(0, 20));
  const index = open(records);
  const search = () => index.searchDense(table, Float32Array.of(1, 2, 3), 99);
  const before = await search();
  let reads = 0;
  const read = records.read.bind(records);
  records.read = async (...input) => {
    reads += 1;
    expect(await search()).toEqual(before);
    return read(...input);
  };
  await index.reload(table);
  expect(reads).toBe(1);
  expect(await search()).toEqual(before);
  await index.close();
});

test('loads a table again whose dimensions became known', async () => {
  const records = new ArraySource();
  const early = { name: 'early', dimensions: null };
  records.add(early, []);
  const index = open(records);
  expect(await index.searchSparse(early, ['wing'], 9)).toEqual([]);
  const late = { name: 'early', dimensions: 3 };
  records.tables.delete('early');
  records.add(late, rows(0, 20));
  expect(await index.searchDense(late, Float32Array.of(1, 2, 3), 99)).toHaveLength(20);
  await index.close();
});

test('evicts the least recently searched table and loads it again on its next search', async () => {
  const records = new ArraySource();
  const names = ['first', 'second', 'third'];
  for (const name of names) records.add({ name, dimensions: 3 }, rows(0, 200));
  const index = open(records, { maxBytes: 150_000 });
  for (const name of [...names, 'first']) {
    expect(await index.searchDense({ name, dimensions: 3 }, Float32Array.of(1, 2, 3), 500)).toHaveLength(200);
    await index.settled();
    expect(index.memoryStats.bytes).toBeLessThanOrEqual(150_000);
  }
  expect(index.memoryStats.tables).toBeLessThan(3);
  await index.close();
});

test('finds rows of other processes after a refresh, and forgets those they removed', async () => {
  const records = new ArraySource();
  records.add(table, rows(0, 10));
  const index = open(records);
  const all = async () => keysOf(await index.searchDense(table, Float32Array.of(1, 2, 3), 99));
  expect(await all()).toHaveLength(10);
  records.add(table, rows(10, 13));
  records.remove(table, [{ documentKey: 4n, belowRevision: null }]);
  expect(await all()).toHaveLength(10);
  await index.refresh();
  expect(await all()).toEqual([0n, 1n, 2n, 3n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n]);
  records.tables.delete(table.name);
  await index.refresh();
  expect(await all()).toEqual([]);
  await index.close();
});

describe('snapshots', () => {
  const snapshots = () => new Snapshots(join(directory, 'copies'), 2 ** 28);
  const filled = (count: number): ArraySource => {
    const records = new ArraySource();
    records.add(table, rows(0, count));
    return records;
  };

  test('are read at the next start, with what has changed since', async () => {
    const records = filled(6000);
    const before = open(records, { snapshots: snapshots() });
    await before.searchSparse(table, ['wing'], 1);
    await before.settled();
    await before.close();
    records.add(table, rows(6000, 6010));
    records.remove(table, [{ documentKey: 7n, belowRevision: null }]);
    const passed: number[] = [];
    const read = records.read.bind(records);
    records.read = (of, since, changes) =>
      read(of, since, { ...changes, add: (batch) => (passed.push(batch.rows), changes.add(batch)) });
    const after = open(records, { snapshots: snapshots() });
    expect(await after.list()).toEqual(['chunks']);
    const found = await after.searchDense(table, Float32Array.of(1, 2, 3), 9999);
    expect(found).toHaveLength(6010 - 121);
    expect(found.filter((hit) => hit.documentKey === 7n)).toEqual([]);
    expect(passed.reduce((sum, count) => sum + count, 0)).toBe(9);
    await after.close();
  });

  test('are written once more when the index is closed', async () => {
    const records = filled(6000);
    const before = open(records, { snapshots: snapshots() });
    await before.searchSparse(table, ['wing'], 1);
    await before.settled();
    records.add(table, rows(6000, 9000));
    await before.add(table, rows(6000, 9000));
    await before.close();
    let passed = 0;
    const read = records.read.bind(records);
    records.read = (of, since, changes) =>
      read(of, since, { ...changes, add: (batch) => ((passed += batch.rows), changes.add(batch)) });
    const after = open(records, { snapshots: snapshots() });
    expect(await after.searchDense(table, Float32Array.of(1, 2, 3), 9999)).toHaveLength(9000);
    expect(passed).toBe(0);
    await after.close();
  });

  test('are not used when the removals since are no longer known, or the rows were replaced', async () => {
    const records = filled(6000);
    const before = open(records, { snapshots: snapshots() });
    await before.searchSparse(table, ['wing'], 1);
    await before.settled();
    await before.close();
    records.remove(table, [{ documentKey: 7n, belowRevision: null }]);
    for (const stored of records.tables.values()) stored.removed = [];
    records.forgottenBefore = 2;
    const after = open(records, { snapshots: snapshots() });
    const found = await after.searchDense(table, Float32Array.of(1, 2, 3), 9999);
    expect(found).toHaveLength(5880);
    await after.close();
    const replaced = filled(5500);
    const other = open(replaced, { snapshots: snapshots() });
    expect(await other.searchDense(table, Float32Array.of(1, 2, 3), 9999)).toHaveLength(5500);
    await other.close();
  });

  test('are deleted when documents are erased', async () => {
    const records = filled(6000);
    const index = open(records, { snapshots: snapshots() });
    await index.searchSparse(table, ['wing'], 1);
    await index.settled();
    expect(await snapshots().tables()).toEqual(['chunks']);
    await index.remove(table, [{ documentKey: 1n, belowRevision: null }]);
    await index.settled();
    expect(await snapshots().tables()).toEqual([]);
    await index.close();
  });
});

test('loads a table again when many of its rows were removed, and serves it meanwhile', async () => {
  const records = new ArraySource();
  records.add(table, rows(0, 3000));
  const index = open(records);
  await index.searchSparse(table, ['wing'], 1);
  const removed = Array.from({ length: 30 }, (_, key) => ({ documentKey: BigInt(key), belowRevision: null }));
  const bytes = index.memoryStats.bytes;
  records.remove(table, removed);
  await index.remove(table, removed);
  expect(await index.searchDense(table, Float32Array.of(1, 2, 3), 9999)).toHaveLength(1200);
  await index.settled();
  expect(index.memoryStats.bytes).toBeLessThan(bytes);
  expect(await index.searchDense(table, Float32Array.of(1, 2, 3), 9999)).toHaveLength(1200);
  await index.close();
});

test('loads the tables that were searched last at the next start, as far as they fit', async () => {
  const records = new ArraySource();
  const names = ['first', 'second', 'third'];
  for (const name of names) records.add({ name, dimensions: 3 }, rows(0, 100));
  const recent = new RecentTables(join(directory, 'recent', 'tables.json'));
  const before = open(records, { recent });
  for (const name of names) await before.searchSparse({ name, dimensions: 3 }, ['wing'], 1);
  const { bytes } = before.memoryStats;
  await before.close();
  const after = open(records, { recent, maxBytes: bytes - 1 });
  await after.preload();
  expect((await after.list()).toSorted()).toEqual(['second', 'third']);
  await after.close();
});

test('answers a search whose thread dies from the next thread', async () => {
  const records = new ArraySource();
  records.add(table, rows(0, 20));
  const workers: Worker[] = [];
  const start = (): Worker => {
    const worker = startCopyThread();
    workers.push(worker);
    return worker;
  };
  const errors: unknown[] = [];
  const index = open(records, { channel: new ThreadChannel(start), onError: (error) => errors.push(error) });
  const search = () => index.searchDense(table, Float32Array.of(1, 2, 3), 99);
  expect(await search()).toHaveLength(20);
  const asked = search();
  await workers[0]?.terminate();
  expect(await asked).toHaveLength(20);
  expect(errors).toMatchObject([{ name: 'CopyError', reason: 'ended' }]);
  expect(workers).toHaveLength(2);
  await index.close();
});
