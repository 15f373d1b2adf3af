// large: loads copies in worker threads
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ResidentIndex } from '../resident/resident-index.ts';
import type { RowChanges } from '../resident/row-source.ts';
import { ArraySource } from '../resident/testing/array-source.ts';
import type { IndexTable } from '../search-index.ts';
import { CopyError } from './copy-channel.ts';
import type { CopyRequest } from './copy-protocol.ts';
import { Snapshots } from './snapshots.ts';
import { SplitChannel } from './split-channel.ts';
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

/** Records requests, and fails on demand. */
class NotingChannel extends LocalChannel {
  readonly asked: string[] = [];

  override async request(request: CopyRequest) {
    this.asked.push(request.do);
    return super.request(request);
  }

  lose(): void {
    this.onLost(new CopyError('ended', 'lost'));
  }
}

/** Records the positions from which rows are read. */
class ReadSource extends ArraySource {
  readonly reads: (string | null)[] = [];

  override read(of: IndexTable, since: string | null, changes: RowChanges): Promise<string | undefined> {
    this.reads.push(since);
    return super.read(of, since, changes);
  }
}

/** Opens an index as a new process does, and waits until it is loaded and saved. */
async function start(source: ReadSource, files: string, largeRows = ROWS) {
  const channels = [new NotingChannel(), new NotingChannel()] as const;
  const errors: unknown[] = [];
  const index = new ResidentIndex(source, {
    maxBytes: 2 ** 26,
    maxWaitMs: 60_000,
    serves: false,
    pollMs: null,
    recent: null,
    onError: (error) => errors.push(error),
    channel: new SplitChannel(...channels, largeRows),
    snapshots: new Snapshots(files, 2 ** 26),
  });
  source.reads.length = 0;
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
  const source = new ReadSource();
  source.add(
    table,
    Array.from({ length: ROWS }, (_, key) => rowOf(key)),
  );
  return { source, files: await mkdtemp(path.join(directory, 'files-')) };
}

test('sends each leg of a large table to its own thread, and both of a small one to the first', async () => {
  const { source, files } = await filled();
  const large = await start(source, files);
  const found = await large.search();
  expect(large.channels.map(({ asked }) => asked)).toEqual([['sparse'], ['dense']]);
  const small = await start(source, await mkdtemp(path.join(directory, 'files-')), ROWS + 1);
  expect(await small.search()).toEqual(found);
  expect(small.channels.map(({ asked }) => asked)).toEqual([['sparse', 'dense'], []]);
});

test('applies additions and removals to both legs', async () => {
  const { source, files } = await filled();
  const { index, search } = await start(source, files);
  await index.add(table, [{ ...rowOf(ROWS), terms: 'marker', vector: QUERY }]);
  await index.settled();
  expect((await search('marker')).filter((hit) => hit.chunkKey === BigInt(ROWS))).toHaveLength(2);
  await index.remove(table, [{ documentKey: rowOf(ROWS).documentKey, belowRevision: null }]);
  await index.settled();
  expect((await search('marker')).filter((hit) => hit.chunkKey === BigInt(ROWS))).toEqual([]);
});

test('a new process restores both parts that the previous one saved', async () => {
  const { source, files } = await filled();
  const first = await start(source, files);
  expect((await readdir(files)).toSorted()).toEqual(['chunks.copy', 'chunks.copy.vectors']);
  const second = await start(source, files);
  expect([source.reads, second.errors]).toEqual([[expect.any(String)], []]);
  expect(await second.search()).toEqual(await first.search());
});

test('a new process takes both parts from the file of a table that was not split', async () => {
  const { source, files } = await filled();
  const first = await start(source, files, ROWS + 1);
  expect(await readdir(files)).toEqual(['chunks.copy']);
  const second = await start(source, files);
  expect([source.reads, second.errors]).toEqual([[expect.any(String)], []]);
  expect(await second.search()).toEqual(await first.search());
  expect(second.channels.map(({ asked }) => asked)).toEqual([['sparse'], ['dense']]);
});

test('loads the table again when the parts do not match or one is damaged', async () => {
  const { source, files } = await filled();
  await start(source, files);
  const older = path.join(directory, 'older.vectors');
  await copyFile(path.join(files, 'chunks.copy.vectors'), older);
  await rm(path.join(files, 'chunks.copy'));
  source.add(table, [{ ...rowOf(ROWS), terms: 'marker', vector: QUERY }]);
  for (const spoil of [
    () => copyFile(older, path.join(files, 'chunks.copy.vectors')),
    () => writeFile(path.join(files, 'chunks.copy.vectors'), 'not a copy'),
    () => rm(path.join(files, 'chunks.copy.vectors')),
  ]) {
    await start(source, files);
    await spoil();
    const { search, errors } = await start(source, files);
    expect([source.reads[0], errors]).toEqual([null, []]);
    expect((await search('marker')).filter((hit) => hit.chunkKey === BigInt(ROWS))).toHaveLength(2);
  }
});

test('purged rows are in neither file', async () => {
  const { source, files } = await filled();
  const { index } = await start(source, files);
  await index.remove(table, [{ documentKey: 3n, belowRevision: null }]);
  expect(await readdir(files)).toEqual([]);
});

test('releases the other part when one thread is lost, and fills both again', async () => {
  const { source, files } = await filled();
  const { index, channels, search, errors } = await start(source, files);
  const found = await search();
  channels[1].lose();
  expect([index.memoryStats.tables, index.memoryStats.bytes, errors]).toEqual([0, 0, [expect.any(CopyError)]]);
  expect(channels[0].asked.at(-1)).toBe('release');
  await search();
  await index.settled();
  expect(await search()).toEqual(found);
  expect(index.memoryStats).toMatchObject({ tables: 1 });
});
