// large: loads copies in worker threads
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ResidentIndex } from '../resident/resident-index.ts';
import type { RowChanges } from '../resident/row-source.ts';
import { ArraySource } from '../resident/testing/array-source.ts';
import type { IndexTable } from '../search-index.ts';
import type { CopyChannel } from './copy-channel.ts';
import type { CopyRequest } from './copy-protocol.ts';
import { Snapshots } from './snapshots.ts';
import { LocalChannel } from './testing/local-channel.ts';
import { rowOf } from './testing/wordy-rows.ts';

const table: IndexTable = { name: 'chunks', dimensions: 3 };

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quire-copies-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Records the positions from which rows are read. */
class ReadSource extends ArraySource {
  readonly reads: (string | null)[] = [];

  override read(of: IndexTable, since: string | null, changes: RowChanges): Promise<string | undefined> {
    this.reads.push(since);
    return super.read(of, since, changes);
  }
}

const ROWS = 5_000;

/** Opens an index as a new process does. */
function open(
  source: ReadSource,
  files: string,
  channel: CopyChannel = new LocalChannel(),
  hasRoom?: () => Promise<boolean>,
) {
  const errors: unknown[] = [];
  const options = { maxBytes: 2 ** 26, maxWaitMs: 60_000, serves: false, pollMs: null, recent: null };
  const snapshots = new Snapshots(files, 2 ** 26, hasRoom);
  const onError = (error: unknown) => errors.push(error);
  const index = new ResidentIndex(source, { ...options, onError, snapshots, channel });
  const search = async (word: string) => (await index.searchSparse(table, [word], 3)).map((hit) => hit.chunkKey);
  source.reads.length = 0;
  return { index, search, errors };
}

/** Opens an index and waits until it is loaded and saved. */
async function start(source: ReadSource, files: string, hasRoom?: () => Promise<boolean>) {
  const opened = open(source, files, undefined, hasRoom);
  await opened.search('wing');
  await opened.index.settled();
  return opened;
}

async function filled() {
  const files = await mkdtemp(path.join(directory, 'files-'));
  const source = new ReadSource();
  source.add(
    table,
    Array.from({ length: ROWS }, (_, key) => rowOf(key)),
  );
  return { source, files };
}

async function saved() {
  const { source, files } = await filled();
  const first = await start(source, files);
  expect([source.reads[0], await readdir(files), first.errors]).toEqual([null, ['chunks.copy'], []]);
  await first.index.close();
  return { source, files };
}

test('saves no copy without space on the disk, and the copy stays in use', async () => {
  const { source, files } = await filled();
  const { index, search, errors } = await start(source, files, async () => false);
  expect([await readdir(files), await search('日本'), errors]).toEqual([[], expect.any(Array), []]);
  expect(source.reads).toEqual([null]);
  await index.close();
});

test('a new process restores the copy that the previous one saved', async () => {
  const { source, files } = await saved();
  const { search, errors } = await start(source, files);
  expect(source.reads).toEqual([expect.any(String)]);
  expect(await search('日本')).toHaveLength(3);
  expect(errors).toEqual([]);
});

test('reads the rows since the snapshot', async () => {
  const { source, files } = await saved();
  source.add(table, [{ ...rowOf(ROWS), terms: 'new' }]);
  const second = await start(source, files);
  expect(source.reads).toEqual([expect.any(String)]);
  expect(await second.search('new')).toEqual([BigInt(ROWS)]);
});

test('purged rows are in no file, and the next process loads the table again', async () => {
  const { source, files } = await saved();
  const { index } = await start(source, files);
  await index.remove(table, [{ documentKey: 3n, belowRevision: 2 }]);
  expect(await readdir(files)).toEqual(['chunks.copy']);
  await index.remove(table, [{ documentKey: 3n, belowRevision: null }]);
  expect(await readdir(files)).toEqual([]);
  // Enough rows that the copy would be saved again.
  await index.add(
    table,
    Array.from({ length: 6_000 }, (_, key) => rowOf(ROWS + key)),
  );
  await index.settled();
  expect(await readdir(files)).toEqual([]);
  await index.close();
  await start(source, files);
  expect(source.reads[0]).toBe(null);
  expect(await readdir(files)).toEqual(['chunks.copy']);
});

test('loads a table again that lost many of its rows', async () => {
  const { source, files } = await saved();
  source.remove(
    table,
    Array.from({ length: 30 }, (_, key) => ({ documentKey: BigInt(key), belowRevision: null })),
  );
  const { index } = await start(source, files);
  expect(source.reads).toEqual([expect.any(String), null]);
  expect(await index.stats(table)).toMatchObject({ rows: 2_000 });
});

test('ignores the file of a table that was replaced', async () => {
  const { files } = await saved();
  const other = new ReadSource();
  other.add(
    table,
    Array.from({ length: ROWS }, (_, key) => ({ ...rowOf(key), terms: 'other' })),
  );
  const { search } = await start(other, files);
  expect(other.reads[0]).toBe(null);
  expect(await search('other')).toHaveLength(3);
  expect(await search('wing')).toEqual([]);
});

test('ignores a damaged file', async () => {
  const { source, files } = await saved();
  await writeFile(path.join(files, 'chunks.copy'), 'not a copy');
  const { search, errors } = await start(source, files);
  expect(source.reads[0]).toBe(null);
  expect(await search('wing')).toHaveLength(3);
  expect(errors).toEqual([]);
});

test('removes the files of dropped tables, and the oldest above the size limit', async () => {
  const { source, files } = await saved();
  const { index } = await start(source, files);
  await index.drop(table);
  expect(await readdir(files)).toEqual([]);
  const small = new Snapshots(files, 100);
  for (const name of ['a', 'b', 'c']) await writeFile(small.fileOf(name), Buffer.alloc(name === 'b' ? 200 : 10));
  await small.tidy(['b', 'c']);
  expect((await readdir(files)).filter((name) => name !== 'c.copy')).toEqual([]);
});

test('keeps a file that another process is writing, unless its table is purged', async () => {
  const files = await mkdtemp(path.join(directory, 'files-'));
  const snapshots = new Snapshots(files, 2 ** 20);
  const names = ['a.copy', 'a.copy.1.new', 'a.copy.2.new', 'a_2.copy', 'a_2.copy.1.new'];
  for (const name of names) await writeFile(path.join(files, name), 'words');
  await utimes(path.join(files, 'a.copy.2.new'), 0, 0);
  await snapshots.tidy(['a', 'a_2']);
  expect((await readdir(files)).toSorted()).toEqual(names.toSpliced(2, 1));
  await snapshots.remove('a');
  expect((await readdir(files)).toSorted()).toEqual(['a_2.copy', 'a_2.copy.1.new']);
  await new Snapshots(path.join(files, 'none'), 1).remove('a');
});

/** A channel that pauses after the request to write a file. */
class HeldChannel extends LocalChannel {
  #onHeld: () => void = () => undefined;
  #go: () => void = () => undefined;
  readonly held = new Promise<void>((resolve) => (this.#onHeld = resolve));
  readonly #going = new Promise<void>((resolve) => (this.#go = resolve));

  go(): void {
    this.#go();
  }

  override async request(request: CopyRequest) {
    const asked = super.request(request);
    if (request.do !== 'save') return asked;
    this.#onHeld();
    await this.#going;
    return asked;
  }
}

test.each(['dropped', 'erased'])('a table that is %s while its file is written leaves no file', async (how) => {
  const { source, files } = await filled();
  const channel = new HeldChannel();
  const { index, search, errors } = open(source, files, channel);
  await search('wing');
  await channel.held;
  let isGone = false;
  const going = how === 'dropped' ? index.drop(table) : index.remove(table, [{ documentKey: 3n, belowRevision: null }]);
  const gone = going.then(() => (isGone = true));
  // The file is complete, but its writer has not been notified yet.
  while (!(await readdir(files)).includes('chunks.copy')) expect(isGone).toBe(false);
  channel.go();
  await gone;
  expect(await readdir(files)).toEqual([]);
  await index.settled();
  expect([await readdir(files), errors]).toEqual([[], []]);
});
