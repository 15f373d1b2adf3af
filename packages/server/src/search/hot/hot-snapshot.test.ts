import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexRow, IndexTable } from '../search-index.ts';
import { HotIndex } from './hot-index.ts';
import { HotMemory } from './hot-memory.ts';
import { readSnapshot, SnapshotReader, SnapshotWriter, writeSnapshot } from './hot-snapshot.ts';
import { HotSnapshots } from './hot-snapshots.ts';
import { HotTable } from './hot-table.ts';
import type { RowBatch } from './hot-source.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

const WORDS = ['wing', 'lift', 'drag', 'Auftrieb', '日本'];
const table: IndexTable = { name: 'chunks', dimensions: 3 };
const head = { table: 'chunks', dimensions: 3, version: 7, nextRowId: 12n };

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quire-snapshots-'));
});
afterAll(() => rm(directory, { recursive: true }));

const rowOf = (key: number): IndexRow => ({
  chunkKey: BigInt(key),
  documentKey: BigInt(key % 50),
  revision: 1 + (key % 3),
  terms: Array.from({ length: 1 + (key % 7) }, (_, at) => WORDS[(key * 3 + at) % 5]).join(' '),
  vector: Float32Array.of(Math.sin(key), Math.cos(key * 1.7), (key % 11) - 5),
});

function fill(hot: HotTable, from: number, to: number): void {
  for (let key = from; key < to; key += 1) {
    const { vector, terms, ...keys } = rowOf(key);
    hot.add({ ...keys, terms: Buffer.from(terms), ...(vector && { vectors: vector }) });
  }
}

function answers(hot: HotTable) {
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

function restored(hot: HotTable): HotTable {
  const writer = new SnapshotWriter();
  hot.save(writer);
  const copy = new HotTable(3, new HotMemory());
  copy.restore(new SnapshotReader(Buffer.concat(writer.parts)));
  return copy;
}

test('a table that is restored answers as it did, and goes on growing', () => {
  fc.assert(
    fc.property(
      fc.nat(300),
      fc.nat(300),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 49 }), fc.option(fc.integer({ min: 1, max: 3 })))),
      (before, after, removals) => {
        const hot = new HotTable(3, new HotMemory());
        fill(hot, 0, before);
        for (const [key, revision] of removals) hot.remove(BigInt(key), revision);
        const copy = restored(hot);
        expect(answers(copy)).toEqual(answers(hot));
        // Some of the chunks come a second time.
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

test('a table with sketches is restored with them', () => {
  const hot = new HotTable(3, new HotMemory());
  fill(hot, 0, 8500);
  const copy = restored(hot);
  for (const each of [hot, copy]) fill(each, 8500, 9000);
  expect(answers(copy)).toEqual(answers(hot));
});

test('a file is read back, by whom it was written for', async () => {
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
  expect(await readSnapshot(`${file}.new`, head)).toBeUndefined();
});

test.each([0, 20, 70, -1])('a file whose byte %i is another one is deleted', async (at) => {
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

/** Notes from which row on it was read. */
class ReadIndex extends ArrayIndex {
  readonly scans: bigint[] = [];

  override scan(from: IndexTable, fromRowId: bigint): AsyncIterable<RowBatch> {
    this.scans.push(fromRowId);
    return super.scan(from, fromRowId);
  }
}

const ROWS = 5_000;

/** An index of a process that has just started, searched until its copy answers. */
async function start(source: ReadIndex, files: string) {
  const errors: unknown[] = [];
  const options = { maxBytes: 2 ** 26, onlyWriter: false, onError: (error: unknown) => errors.push(error) };
  const snapshots = new HotSnapshots(files, 2 ** 26);
  const index = new HotIndex(source, { ...options, snapshots, channel: new LocalChannel() });
  const search = async (word: string) => (await index.searchSparse(table, [word], 3)).map((hit) => hit.chunkKey);
  source.scans.length = 0;
  await search('wing');
  await index.settled();
  return { index, search, errors };
}

async function saved() {
  const files = await mkdtemp(path.join(directory, 'files-'));
  const source = new ReadIndex();
  await source.add(
    table,
    Array.from({ length: ROWS }, (_, key) => rowOf(key)),
  );
  const first = await start(source, files);
  expect([source.scans, await readdir(files), first.errors]).toEqual([[0n], ['chunks.copy'], []]);
  await first.index.close();
  return { source, files };
}

test('a process that starts again has the copy that the one before it has saved', async () => {
  const { source, files } = await saved();
  const { index, search, errors } = await start(source, files);
  expect(source.scans).toEqual([]);
  expect(await search('日本')).toHaveLength(3);
  expect([index.hotStats.hot, index.hotStats.cold, errors]).toEqual([1, 1, []]);
});

test('rows since it was saved are read, also when all were rewritten', async () => {
  const { source, files } = await saved();
  await source.add(table, [{ ...rowOf(ROWS), terms: 'new' }]);
  const second = await start(source, files);
  expect(source.scans).toEqual([BigInt(ROWS)]);
  expect(await second.search('new')).toEqual([BigInt(ROWS)]);
  await source.optimize(table);
  const third = await start(source, files);
  expect(await third.search('new')).toEqual([BigInt(ROWS)]);
  expect(third.index.hotStats).toMatchObject({ hot: 1, tables: 1 });
});

test('what was erased is in no file: the next process loads the rest anew', async () => {
  const { source, files } = await saved();
  const { index } = await start(source, files);
  await index.remove(table, [{ documentKey: 3n, belowRevision: 2 }]);
  expect(await readdir(files)).toEqual(['chunks.copy']);
  await index.remove(table, [{ documentKey: 3n, belowRevision: null }]);
  expect(await readdir(files)).toEqual([]);
  // So much that it would be saved again.
  await index.add(
    table,
    Array.from({ length: 6_000 }, (_, key) => rowOf(ROWS + key)),
  );
  await index.settled();
  expect(await readdir(files)).toEqual([]);
  await index.close();
  await start(source, files);
  expect(source.scans).toEqual([0n]);
  expect(await readdir(files)).toEqual(['chunks.copy']);
});

test('a table that has lost most of its rows, or rows that were never saved, is loaded anew', async () => {
  const { source, files } = await saved();
  await source.remove(
    table,
    Array.from({ length: 30 }, (_, key) => ({ documentKey: BigInt(key), belowRevision: null })),
  );
  const { index } = await start(source, files);
  expect(source.scans).toEqual([BigInt(ROWS), 0n]);
  expect(index.hotStats.tables).toBe(1);
});

test('a damaged file is as good as none', async () => {
  const { source, files } = await saved();
  await writeFile(path.join(files, 'chunks.copy'), 'not a copy');
  const { index, search, errors } = await start(source, files);
  expect(source.scans).toEqual([0n]);
  expect(await search('wing')).toHaveLength(3);
  expect([index.hotStats.hot, errors]).toEqual([1, []]);
});

test('files of tables that are dropped go, and the oldest when there is no room', async () => {
  const { source, files } = await saved();
  const { index } = await start(source, files);
  await index.drop(table);
  expect(await readdir(files)).toEqual([]);
  const small = new HotSnapshots(files, 100);
  for (const name of ['a', 'b', 'c']) await writeFile(small.fileOf(name), Buffer.alloc(name === 'b' ? 200 : 10));
  await small.tidy(['b', 'c']);
  expect((await readdir(files)).filter((name) => name !== 'c.copy')).toEqual([]);
});
