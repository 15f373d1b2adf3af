import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexTable } from '../search-index.ts';
import { HotCopyError } from './hot-channel.ts';
import { HotIndex } from './hot-index.ts';
import type { HotRequest } from './hot-protocol.ts';
import { HotSnapshots } from './hot-snapshots.ts';
import type { RowBatch } from './hot-source.ts';
import { SplitChannel } from './split-channel.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';
import { rowOf } from './testing/wordy-rows.ts';

const table: IndexTable = { name: 'chunks', dimensions: 3 };
const ROWS = 5_000;
const QUERY = Float32Array.of(1, 2, 3);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quire-split-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Notes what it is asked, and fails when it is told to. */
class NotingChannel extends LocalChannel {
  readonly asked: string[] = [];

  override async ask(request: HotRequest) {
    this.asked.push(request.do);
    return super.ask(request);
  }

  lose(): void {
    this.onLost(new HotCopyError('ended', 'lost'));
  }
}

class ReadIndex extends ArrayIndex {
  reads = 0;

  override scan(from: IndexTable, fromRowId: bigint): AsyncIterable<RowBatch> {
    this.reads += 1;
    return super.scan(from, fromRowId);
  }
}

/** An index of a process that has just started, searched until its copy answers. */
async function start(source: ReadIndex, files: string, largeRows = ROWS) {
  const channels = [new NotingChannel(), new NotingChannel()] as const;
  const errors: unknown[] = [];
  const index = new HotIndex(source, {
    maxBytes: 2 ** 26,
    onlyWriter: false,
    onError: (error) => errors.push(error),
    channel: new SplitChannel(...channels, largeRows),
    snapshots: new HotSnapshots(files, 2 ** 26),
  });
  source.reads = 0;
  const search = async (word = 'wing') => [
    ...(await index.searchSparse(table, [word], 3)),
    ...(await index.searchDense(table, QUERY, 3)),
  ];
  await search();
  await index.settled();
  for (const { asked } of channels) asked.length = 0;
  return { index, channels, errors, search };
}

async function filled() {
  const source = new ReadIndex();
  await source.add(
    table,
    Array.from({ length: ROWS }, (_, key) => rowOf(key)),
  );
  return { source, files: await mkdtemp(path.join(directory, 'files-')) };
}

test('each leg of a large table is asked of a thread of its own, both of a small one of the first', async () => {
  const { source, files } = await filled();
  const large = await start(source, files);
  const found = await large.search();
  expect(large.channels.map(({ asked }) => asked)).toEqual([['sparse'], ['dense']]);
  const small = await start(source, await mkdtemp(path.join(directory, 'files-')), ROWS + 1);
  expect(await small.search()).toEqual(found);
  expect(small.channels.map(({ asked }) => asked)).toEqual([['sparse', 'dense'], []]);
});

test('what is added and removed is so for both legs', async () => {
  const { source, files } = await filled();
  const { index, search } = await start(source, files);
  await index.add(table, [{ ...rowOf(ROWS), terms: 'marker', vector: QUERY }]);
  await index.settled();
  expect((await search('marker')).filter((hit) => hit.chunkKey === BigInt(ROWS))).toHaveLength(2);
  await index.remove(table, [{ documentKey: rowOf(ROWS).documentKey, belowRevision: null }]);
  await index.settled();
  expect((await search('marker')).filter((hit) => hit.chunkKey === BigInt(ROWS))).toEqual([]);
});

test('a process that starts again has both parts that the one before it has saved', async () => {
  const { source, files } = await filled();
  const first = await start(source, files);
  expect((await readdir(files)).toSorted()).toEqual(['chunks.copy', 'chunks.copy.vectors']);
  const second = await start(source, files);
  expect([source.reads, second.errors]).toEqual([0, []]);
  expect(await second.search()).toEqual(await first.search());
  expect(second.index.hotStats).toMatchObject({ hot: 2, cold: 2 });
});

test('parts of two copies, or one that is damaged, are of no use: the table is read anew', async () => {
  const { source, files } = await filled();
  await start(source, files);
  const older = path.join(directory, 'older.vectors');
  await copyFile(path.join(files, 'chunks.copy.vectors'), older);
  await rm(path.join(files, 'chunks.copy'));
  await source.add(table, [{ ...rowOf(ROWS), terms: 'marker', vector: QUERY }]);
  for (const spoil of [
    () => copyFile(older, path.join(files, 'chunks.copy.vectors')),
    () => writeFile(path.join(files, 'chunks.copy.vectors'), 'not a copy'),
    () => rm(path.join(files, 'chunks.copy.vectors')),
  ]) {
    await start(source, files);
    await spoil();
    const { search, index, errors } = await start(source, files);
    expect([source.reads, errors]).toEqual([1, []]);
    expect((await search('marker')).filter((hit) => hit.chunkKey === BigInt(ROWS))).toHaveLength(2);
    expect(index.hotStats).toMatchObject({ hot: 2, cold: 2 });
  }
});

test('what was erased is in neither file', async () => {
  const { source, files } = await filled();
  const { index } = await start(source, files);
  await index.remove(table, [{ documentKey: 3n, belowRevision: null }]);
  expect(await readdir(files)).toEqual([]);
});

test('when one thread is lost the other gives back what it has, and both are filled again', async () => {
  const { source, files } = await filled();
  const { index, channels, search, errors } = await start(source, files);
  const found = await search();
  channels[1].lose();
  expect([index.hotStats.tables, index.hotStats.bytes, errors]).toEqual([0, 0, [expect.any(HotCopyError)]]);
  expect(channels[0].asked.at(-1)).toBe('release');
  await search();
  await index.settled();
  expect(await search()).toEqual(found);
  expect(index.hotStats).toMatchObject({ tables: 1, hot: 4, cold: 4 });
});
