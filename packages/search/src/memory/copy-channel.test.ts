import { pathToFileURL } from 'node:url';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { compiledFile } from '@quire/shared/compiled-file';
import { afterEach, expect, test } from 'vitest';
import { ResidentIndex } from '../resident/resident-index.ts';
import type { RowChanges } from '../resident/row-source.ts';
import { ArraySource } from '../resident/testing/array-source.ts';
import { IndexUnavailableError, type IndexTable } from '../search-index.ts';
import { startCopyThread, ThreadChannel } from './copy-channel.ts';

const table: IndexTable = { name: 'chunks', dimensions: 2 };
const rows = Array.from({ length: 9 }, (_, key) => ({
  chunkKey: BigInt(key),
  documentKey: BigInt(key),
  revision: 1,
  terms: key === 7 ? 'wing' : 'rotor',
  vector: Float32Array.of(1, key),
}));

/** Records whose reading can be paused. */
class HeldSource extends ArraySource {
  #go: () => void = () => undefined;
  #going: Promise<void> = Promise.resolve();
  /** Called when a read reaches the pause. */
  onHeld: () => void = () => undefined;

  hold(): Promise<void> {
    this.#going = new Promise((resolve) => (this.#go = resolve));
    return new Promise((resolve) => (this.onHeld = resolve));
  }

  go(): void {
    this.#go();
  }

  override async read(of: IndexTable, since: string | null, changes: RowChanges): Promise<string | undefined> {
    const position = await super.read(of, since, changes);
    this.onHeld();
    await this.#going;
    return position;
  }
}

/** The real thread, which hangs in an endless loop when it receives a Set. */
const HANGING_THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData).then(() => {
    parentPort.on('message', (message) => { while (message instanceof Set); });
  });`;
const startHangingThread = (): Worker =>
  new Worker(HANGING_THREAD, {
    eval: true,
    workerData: pathToFileURL(compiledFile(import.meta.url, 'copy-thread.js')).href,
  });

const NONE = { ended: 0, silent: 0, failed: 0 };
const opened: ResidentIndex[] = [];
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

async function open(start = startCopyThread) {
  const workers: Worker[] = [];
  const errors: unknown[] = [];
  /** The heartbeat timers of the channel, which the test fires by hand. */
  const heartbeats = new Set<() => void>();
  const source = new HeldSource();
  const index = new ResidentIndex(source, {
    maxBytes: 2 ** 20,
    maxWaitMs: 60_000,
    serves: false,
    pollMs: null,
    recent: null,
    onError: (error) => errors.push(error),
    snapshots: null,
    channel: new ThreadChannel(
      () => {
        const worker = start();
        workers.push(worker);
        return worker;
      },
      (look) => {
        heartbeats.add(look);
        return () => heartbeats.delete(look);
      },
    ),
  });
  opened.push(index);
  source.add(table, rows);
  const search = async () => (await index.searchSparse(table, ['wing'], 9)).map((hit) => hit.chunkKey);
  const lookAll = () => heartbeats.forEach((look) => look());
  return { index, source, workers, errors, search, heartbeats, lookAll };
}

async function openLoaded(start?: () => Worker) {
  const all = await open(start);
  expect(await all.search()).toEqual([7n]);
  expect(all.index.memoryStats).toMatchObject({ tables: 1, loading: 0 });
  return all;
}

test('answers a search whose thread dies from the next thread', async () => {
  const { index, workers, errors, search } = await openLoaded();
  const asked = [search(), index.searchDense(table, Float32Array.of(1, 9), 1)] as const;
  await workers[0]?.terminate();
  expect(await asked[0]).toEqual([7n]);
  expect(await asked[1]).toMatchObject([{ chunkKey: 8n }]);
  expect(errors).toMatchObject([{ name: 'CopyError', message: 'The thread of the copies has ended with code 1' }]);
  expect(index.memoryStats).toMatchObject({ tables: 1, failures: { ...NONE, ended: 1 } });
  expect(workers).toHaveLength(2);
});

test('loses no row when the thread dies between two searches', async () => {
  const { index, source, workers, search } = await openLoaded();
  await workers[0]?.terminate();
  const added = [{ chunkKey: 10n, documentKey: 10n, revision: 1, terms: 'wing', vector: Float32Array.of(1, 0) }];
  source.add(table, added);
  await index.add(table, added);
  expect(await search()).toEqual([7n, 10n]);
});

test('finds written rows in the next search', async () => {
  const { index, search } = await openLoaded();
  await index.add(table, [
    { chunkKey: 10n, documentKey: 10n, revision: 1, terms: 'wing', vector: Float32Array.of(1, 0) },
  ]);
  expect(await search()).toEqual([7n, 10n]);
  await index.remove(table, [{ documentKey: 7n, belowRevision: null }]);
  expect(await search()).toEqual([10n]);
});

test('leaves nothing of a table that is dropped while it loads', async () => {
  const { index, source, errors, search } = await open();
  const held = source.hold();
  const refused = expect(search()).rejects.toThrow(IndexUnavailableError);
  await held;
  source.tables.delete(table.name);
  await index.drop(table);
  source.go();
  await refused;
  expect(await search()).toEqual([]);
  await index.settled();
  expect([index.memoryStats.bytes, errors]).toEqual([0, []]);
});

test('backs off after the thread dies during a load', async () => {
  const { index, source, workers, errors, search } = await open();
  const held = source.hold();
  const refused = expect(search()).rejects.toThrow(IndexUnavailableError);
  await held;
  await workers[0]?.terminate();
  source.go();
  await refused;
  await expect(search()).rejects.toThrow('has ended');
  expect(index.memoryStats).toMatchObject({ tables: 0, bytes: 0, failures: { ...NONE, ended: 1 } });
  expect(errors).toHaveLength(1);
  expect(workers).toHaveLength(1);
});

test('closes while a table is loading', async () => {
  const { index, source, workers, errors, search } = await open();
  const held = source.hold();
  const refused = expect(search()).rejects.toThrow(IndexUnavailableError);
  await held;
  const closing = index.close();
  source.go();
  await closing;
  await refused;
  expect(errors).toEqual([]);
  expect(workers[0]?.threadId).toBe(-1);
});

test('refuses a search whose thread hangs, terminates the thread and backs off', async () => {
  const { index, workers, errors, search, heartbeats, lookAll } = await openLoaded(startHangingThread);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  workers[0]?.postMessage(new Set());
  const refused = expect(search()).rejects.toThrow(IndexUnavailableError);
  // Requests are sent at the end of the turn of the event loop.
  await new Promise(setImmediate);
  for (let look = 0; look < 11; look += 1) lookAll();
  await refused;
  expect(errors).toMatchObject([{ message: 'The thread of the copies missed its heartbeats and was terminated' }]);
  expect(index.memoryStats).toMatchObject({ tables: 0, failures: { ...NONE, silent: 1 } });
  expect(heartbeats.size).toBe(0);
  expect(workers).toHaveLength(1);
});

test('does not terminate a silent thread without pending requests', async () => {
  const { index, search, lookAll } = await openLoaded();
  for (let look = 0; look < 200; look += 1) lookAll();
  expect(await search()).toEqual([7n]);
  expect(index.memoryStats).toMatchObject({ tables: 1, failures: NONE });
});

test('a thread answers a heartbeat', async () => {
  const worker = startCopyThread();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage([]);
  expect(await once(worker, 'message')).toEqual([[]]);
  await worker.terminate();
});
