import type { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import type { IndexTable } from '../search-index.ts';
import { startHotThread, ThreadChannel } from './hot-channel.ts';
import { HotIndex } from './hot-index.ts';
import type { RowBatch } from './hot-source.ts';
import { ArrayIndex } from './testing/array-index.ts';

const table: IndexTable = { name: 'chunks', dimensions: 2 };
const rows = Array.from({ length: 9 }, (_, key) => ({
  chunkKey: BigInt(key),
  documentKey: BigInt(key),
  revision: 1,
  terms: key === 7 ? 'wing' : 'rotor',
  vector: Float32Array.of(1, key),
}));

/** An index that can be held in the middle of being read. */
class HeldIndex extends ArrayIndex {
  #go: () => void = () => undefined;
  #going: Promise<void> = Promise.resolve();
  /** Called when a scan has come to where it is held. */
  onHeld: () => void = () => undefined;

  hold(): Promise<void> {
    this.#going = new Promise((resolve) => (this.#go = resolve));
    return new Promise((resolve) => (this.onHeld = resolve));
  }

  go(): void {
    this.#go();
  }

  override async *scan(from: IndexTable, fromRowId: bigint): AsyncIterable<RowBatch> {
    for await (const batch of super.scan(from, fromRowId)) {
      yield batch;
      this.onHeld();
      await this.#going;
    }
  }
}

const opened: HotIndex[] = [];
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

async function open() {
  const workers: Worker[] = [];
  const errors: unknown[] = [];
  const source = new HeldIndex();
  const index = new HotIndex(source, {
    maxBytes: 2 ** 20,
    onlyWriter: true,
    onError: (error) => errors.push(error),
    channel: new ThreadChannel(() => {
      const worker = startHotThread();
      workers.push(worker);
      return worker;
    }),
  });
  opened.push(index);
  await index.add(table, rows);
  const search = async () => (await index.searchSparse(table, ['wing'], 9)).map((hit) => hit.chunkKey);
  return { index, source, workers, errors, search };
}

async function openLoaded() {
  const all = await open();
  expect(await all.search()).toEqual([7n]);
  await all.index.settled();
  expect(await all.search()).toEqual([7n]);
  expect(all.index.hotStats).toMatchObject({ tables: 1, hot: 1, cold: 1 });
  return all;
}

test('a search is answered though its thread dies, and the next thread gets the copies again', async () => {
  const { index, workers, errors, search } = await openLoaded();
  const asked = [search(), index.searchDense(table, Float32Array.of(1, 9), 1)] as const;
  await workers[0]?.terminate();
  expect(await asked[0]).toEqual([7n]);
  expect(await asked[1]).toMatchObject([{ chunkKey: 8n }]);
  expect(errors).toMatchObject([{ name: 'HotCopyError', message: 'The thread of the copies has ended with code 1' }]);
  expect(index.hotStats).toEqual({ tables: 0, bytes: 0, hot: 1, cold: 3 });

  expect(await search()).toEqual([7n]);
  await index.settled();
  expect(await search()).toEqual([7n]);
  expect(index.hotStats).toMatchObject({ tables: 1, hot: 2, cold: 4 });
  expect(workers).toHaveLength(2);
});

test('a thread that dies between two searches takes nothing with it', async () => {
  const { index, workers, search } = await openLoaded();
  await workers[0]?.terminate();
  await index.add(table, [
    { chunkKey: 10n, documentKey: 10n, revision: 1, terms: 'wing', vector: Float32Array.of(1, 0) },
  ]);
  expect(await search()).toEqual([7n, 10n]);
  await index.settled();
  expect(await search()).toEqual([7n, 10n]);
  expect(index.hotStats.hot).toBe(2);
});

test('what is written is found by the search after it', async () => {
  const { index, search } = await openLoaded();
  await index.add(table, [
    { chunkKey: 10n, documentKey: 10n, revision: 1, terms: 'wing', vector: Float32Array.of(1, 0) },
  ]);
  expect(await search()).toEqual([7n, 10n]);
  await index.remove(table, [{ documentKey: 7n, belowRevision: null }]);
  expect(await search()).toEqual([10n]);
  expect(index.hotStats.hot).toBe(3);
});

test('a table that is dropped while it is loaded leaves no copy', async () => {
  const { index, source, errors, search } = await open();
  const held = source.hold();
  await search();
  await held;
  await index.drop(table);
  source.go();
  await index.settled();
  expect(await search()).toEqual([]);
  await index.settled();
  expect(index.hotStats).toMatchObject({ bytes: 0, hot: 0 });
  expect(errors).toEqual([]);
});

test('a load whose thread dies is given up for a while', async () => {
  const { index, source, workers, errors, search } = await open();
  const held = source.hold();
  await search();
  await held;
  await workers[0]?.terminate();
  source.go();
  await index.settled();
  expect(await search()).toEqual([7n]);
  await index.settled();
  expect(index.hotStats).toEqual({ tables: 0, bytes: 0, hot: 0, cold: 2 });
  expect(errors).toHaveLength(1);
  expect(workers).toHaveLength(1);
});

test('closes while a table is loaded', async () => {
  const { index, source, workers, errors, search } = await open();
  const held = source.hold();
  await search();
  await held;
  const closing = index.close();
  source.go();
  await closing;
  expect(errors).toEqual([]);
  expect(workers[0]?.threadId).toBe(-1);
});
