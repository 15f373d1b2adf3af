// large: loads copies in worker threads
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WasmPages } from './wasm-pages.ts';
import { readSnapshot, SnapshotReader, SnapshotWriter, writeSnapshot } from './snapshot-file.ts';
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

function restored(hot: MemoryTable): MemoryTable {
  const writer = new SnapshotWriter();
  hot.save(writer);
  const copy = new MemoryTable(3, new WasmPages());
  copy.restore(new SnapshotReader(Buffer.concat(writer.parts)));
  return copy;
}

test('a restored table answers as before and accepts more rows', () => {
  fc.assert(
    fc.property(
      fc.nat(300),
      fc.nat(300),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 49 }), fc.option(fc.integer({ min: 1, max: 3 })))),
      (before, after, removals) => {
        const hot = new MemoryTable(3, new WasmPages());
        fill(hot, 0, before);
        for (const [key, revision] of removals) hot.remove(BigInt(key), revision);
        const copy = restored(hot);
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

test('restores the sketches of a table', () => {
  const hot = new MemoryTable(3, new WasmPages());
  fill(hot, 0, 8500);
  const copy = restored(hot);
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
  const found = await readSnapshot(file, head);
  expect(found?.head).toEqual(head);
  expect(found?.reader.number()).toBe(-1.5);
  expect(found?.reader.numbers(BigInt64Array)).toEqual(BigInt64Array.of(1n, -2n));
  expect(found?.reader.numbers(Uint8Array)).toEqual(new Uint8Array(3));
  expect(() => found?.reader.number()).toThrow(RangeError);
  expect(await readSnapshot(file, { ...head, dimensions: 4 })).toBeUndefined();
  expect(await readSnapshot(file, { ...head, table: 'other' })).toBeUndefined();
  expect(await readSnapshot(file, { ...head, identity: 'b' })).toBeUndefined();
  expect(await readSnapshot(`${file}.new`, head)).toBeUndefined();
});

test.each([0, 20, 70, -1])('deletes a file whose byte %i was changed', async (at) => {
  const file = path.join(directory, 'b');
  const writer = new SnapshotWriter();
  writer.numbers(new Uint8Array(50));
  await writeSnapshot(file, head, writer.parts);
  const bytes = await readFile(file);
  bytes.writeUInt8(bytes.at(at)! ^ 1, at < 0 ? bytes.length + at : at);
  await writeFile(file, bytes);
  expect(await readSnapshot(file, head)).toBeUndefined();
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
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
  const found = await readSnapshot(file, head);
  expect(new Set(found?.reader.numbers(Uint8Array))).toEqual(new Set([Number(found?.head.position)]));
  expect(await readdir(shared)).toEqual(['c']);
});
