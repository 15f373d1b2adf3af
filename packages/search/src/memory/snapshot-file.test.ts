// large: loads copies in worker threads
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WasmPages } from './wasm-pages.ts';
import { SnapshotWriter, writeSnapshot } from './snapshot-file.ts';
import { openSnapshot, type OpenSnapshot } from './snapshot-reader.ts';
import { CopyStore } from './copy-store.ts';
import { MemoryTable } from './memory-table.ts';
import { rowOf } from './testing/wordy-rows.ts';

const head = { table: 'chunks', identity: 'a', dimensions: 3, position: '7' };

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quire-snapshots-'));
});
afterAll(() => rm(directory, { recursive: true }));

function fill(hot: MemoryTable, from: number, to: number): void {
  for (let key = from; key < to; key += 1) {
    const { vector, terms, ...keys } = rowOf(key);
    hot.add({ ...keys, terms: Buffer.from(terms), ...(vector && { vectors: vector }) });
  }
}

function answers(hot: MemoryTable) {
  const filter = { includeDocuments: [1n, 2n, 3n, 7n], excludeDocuments: [2n] };
  const query = Float32Array.of(1, 2, 3);
  return [
    hot.searchSparse(['wing', 'drag', 'auftrieb'], 30),
    hot.searchSparse(['liftt'], 5, filter),
    hot.searchDense(query, 30),
    hot.searchDense(query, 5, filter),
    [hot.rows, hot.removedRows],
  ];
}

async function reading<T>(file: string, read: (snapshot: OpenSnapshot) => Promise<T>): Promise<T> {
  const snapshot = await openSnapshot(file, head);
  if (snapshot === undefined) throw new Error('there is no snapshot');
  try {
    return await read(snapshot);
  } finally {
    await snapshot.reader.close();
  }
}

async function saved(hot: MemoryTable): Promise<string> {
  const writer = new SnapshotWriter();
  hot.save(writer);
  const file = path.join(directory, 'saved');
  await writeSnapshot(file, head, writer.parts);
  return file;
}

async function restored(hot: MemoryTable): Promise<MemoryTable> {
  const copy = new MemoryTable(3, new WasmPages());
  await reading(await saved(hot), async ({ reader }) => {
    await copy.restore(reader);
    expect(await reader.verify()).toBe(true);
  });
  return copy;
}

function openStore(): CopyStore {
  const store = new CopyStore();
  void store.handle({ do: 'open', table: 1, dimensions: 3, rows: 50 });
  return store;
}

const restoreIn = async (store: CopyStore, file: string) =>
  store.handle({ do: 'restore', table: 1, file, name: head.table, identity: head.identity });

test('a restored table answers as before and accepts more rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(300),
      fc.nat(300),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 49 }), fc.option(fc.integer({ min: 1, max: 3 })))),
      async (before, after, removals) => {
        const hot = new MemoryTable(3, new WasmPages());
        fill(hot, 0, before);
        for (const [key, revision] of removals) hot.remove(BigInt(key), revision);
        const copy = await restored(hot);
        expect(answers(copy)).toEqual(answers(hot));
        // Some chunks are added a second time.
        for (const each of [hot, copy]) {
          fill(each, before >> 1, before + after);
          each.remove(1n, 2);
        }
        expect(answers(copy)).toEqual(answers(hot));
      },
    ),
    { numRuns: 50 },
  );
});

test('restores the sketches of a table', async () => {
  const hot = new MemoryTable(3, new WasmPages());
  fill(hot, 0, 8500);
  const copy = await restored(hot);
  for (const each of [hot, copy]) fill(each, 8500, 9000);
  expect(answers(copy)).toEqual(answers(hot));
});

test('reads a file only for the table that it was written for', async () => {
  const file = path.join(directory, 'a');
  const writer = new SnapshotWriter();
  writer.number(-1.5);
  writer.numbers(BigInt64Array.of(1n, -2n, 3n), 2);
  writer.numbers(new Uint8Array(3));
  await writeSnapshot(file, head, writer.parts);
  await reading(file, async ({ head: found, reader }) => {
    expect(found).toEqual(head);
    expect(await reader.number()).toBe(-1.5);
    expect(await reader.numbers(BigInt64Array)).toEqual(BigInt64Array.of(1n, -2n));
    expect(await reader.numbers(Uint8Array)).toEqual(new Uint8Array(3));
    await expect(reader.number()).rejects.toThrow(RangeError);
    expect(await reader.verify()).toBe(true);
  });
  expect(await openSnapshot(file, { ...head, dimensions: 4 })).toBeUndefined();
  expect(await openSnapshot(file, { ...head, table: 'other' })).toBeUndefined();
  expect(await openSnapshot(file, { ...head, identity: 'b' })).toBeUndefined();
  expect(await openSnapshot(`${file}.new`, head)).toBeUndefined();
});

test.each([0, 20, 70, 110, 120, 200, -1])('deletes a file whose byte %i was changed', async (at) => {
  const file = path.join(directory, 'b');
  const hot = new MemoryTable(3, new WasmPages());
  fill(hot, 0, 50);
  const writer = new SnapshotWriter();
  hot.save(writer);
  await writeSnapshot(file, head, writer.parts);
  const bytes = await readFile(file);
  bytes.writeUInt8(bytes.at(at)! ^ 1, at < 0 ? bytes.length + at : at);
  await writeFile(file, bytes);
  expect(await restoreIn(openStore(), file)).toMatchObject({ position: null, state: { rows: 0 } });
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each([0, 10, 100, 1000])('deletes a file of which only %i bytes are left', async (length) => {
  const file = path.join(directory, 'short');
  const hot = new MemoryTable(3, new WasmPages());
  fill(hot, 0, 50);
  const writer = new SnapshotWriter();
  hot.save(writer);
  await writeSnapshot(file, head, writer.parts);
  await truncate(file, length);
  expect(await restoreIn(openStore(), file)).toMatchObject({ position: null, state: { rows: 0 } });
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a table that is released while it is restored stops reading', async () => {
  const hot = new MemoryTable(3, new WasmPages());
  fill(hot, 0, 8500);
  const file = await saved(hot);
  const store = openStore();
  const restoring = restoreIn(store, file);
  await setImmediate();
  expect(store.handle({ do: 'release', table: 1 })).toMatchObject({ state: { rows: 0 } });
  expect(await restoring).toEqual({ error: expect.stringContaining('released') });
});

test('concurrent writers of a file leave one complete file', async () => {
  const shared = await mkdtemp(path.join(directory, 'shared-'));
  const file = path.join(shared, 'c');
  const writers = [1, 2, 3, 4].map((value) => {
    const writer = new SnapshotWriter();
    writer.numbers(new Uint8Array(2 ** 22).fill(value));
    return writeSnapshot(file, { ...head, position: String(value) }, writer.parts);
  });
  await Promise.all(writers);
  const position = await openSnapshot(file, head).then(async (found) => {
    expect(new Set(await found?.reader.numbers(Uint8Array))).toEqual(new Set([Number(found?.head.position)]));
    expect(await found?.reader.verify()).toBe(true);
    await found?.reader.close();
    return found?.head.position;
  });
  expect(position).toMatch(/^[1-4]$/);
  expect(await readdir(shared)).toEqual(['c']);
});
