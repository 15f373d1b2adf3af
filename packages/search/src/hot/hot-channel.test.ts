import { pathToFileURL } from 'node:url';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { compiledFile } from '@quire/shared/compiled-file';
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

/** The thread as it is, but a set in place of requests makes it loop for ever. */
const HANGING_THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData).then(() => {
    parentPort.on('message', (message) => { while (message instanceof Set); });
  });`;
const startHangingThread = (): Worker =>
  new Worker(HANGING_THREAD, {
    eval: true,
    workerData: pathToFileURL(compiledFile(import.meta.url, 'hot-thread.js')).href,
  });

const NONE = { ended: 0, silent: 0, failed: 0 };
const opened: HotIndex[] = [];
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

async function open(start = startHotThread) {
  const workers: Worker[] = [];
  const errors: unknown[] = [];
  /** Of the channel, which looks at its thread when one is called. */
  const looks = new Set<() => void>();
  const source = new HeldIndex();
  const index = new HotIndex(source, {
    maxBytes: 2 ** 20,
    onlyWriter: true,
    onError: (error) => errors.push(error),
    snapshots: null,
    channel: new ThreadChannel(
      () => {
        const worker = start();
        workers.push(worker);
        return worker;
      },
      (look) => {
        looks.add(look);
        return () => looks.delete(look);
      },
    ),
  });
  opened.push(index);
  await index.add(table, rows);
  const search = async () => (await index.searchSparse(table, ['wing'], 9)).map((hit) => hit.chunkKey);
  const lookAll = () => looks.forEach((look) => look());
  return { index, source, workers, errors, search, looks, lookAll };
}

async function openLoaded(start?: () => Worker) {
  const all = await open(start);
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
  expect(index.hotStats).toEqual({ tables: 0, bytes: 0, hot: 1, cold: 3, failures: { ...NONE, ended: 1 } });

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
  expect(index.hotStats).toEqual({ tables: 0, bytes: 0, hot: 0, cold: 2, failures: { ...NONE, ended: 1 } });
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

test('a search is answered though its thread hangs, which is ended, and no other is tried for a while', async () => {
  const { index, workers, errors, search, looks, lookAll } = await openLoaded(startHangingThread);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  workers[0]?.postMessage(new Set());
  const asked = [search(), index.searchDense(table, Float32Array.of(1, 9), 1)] as const;
  // What is asked goes out at the end of the turn.
  await new Promise(setImmediate);
  for (let look = 0; look < 11; look += 1) lookAll();
  expect(await asked[0]).toEqual([7n]);
  expect(await asked[1]).toMatchObject([{ chunkKey: 8n }]);
  expect(errors).toMatchObject([{ message: 'The thread of the copies gave no sign of life and was ended' }]);
  expect(index.hotStats).toEqual({ tables: 0, bytes: 0, hot: 1, cold: 3, failures: { ...NONE, silent: 1 } });
  expect(looks.size).toBe(0);

  expect(await search()).toEqual([7n]);
  await index.settled();
  expect(index.hotStats).toMatchObject({ tables: 0, hot: 1, cold: 4 });
  expect(workers).toHaveLength(1);
});

test('a thread that owes no answer may be silent', async () => {
  const { index, search, lookAll } = await openLoaded();
  for (let look = 0; look < 200; look += 1) lookAll();
  expect(await search()).toEqual([7n]);
  expect(index.hotStats).toMatchObject({ hot: 2, failures: NONE });
});

test('a thread gives a sign of life when it is asked for one', async () => {
  const worker = startHotThread();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage([]);
  expect(await once(worker, 'message')).toEqual([[]]);
  await worker.terminate();
});
