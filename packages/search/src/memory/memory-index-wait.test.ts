// large: loads copies in worker threads
import { expect, test } from 'vitest';
import type { IndexTable } from '../search-index.ts';
import { MemoryIndex } from './memory-index.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

const table: IndexTable = { name: 'table', dimensions: null };
/** Longer than the test takes. */
const UNREACHED_MS = 2 ** 30;

async function indexOf(rows: number, maxWaitMs: number): Promise<MemoryIndex> {
  const source = new ArrayIndex();
  const row = (_: unknown, key: number) => ({ chunkKey: BigInt(key), documentKey: 1n, revision: 1, terms: 'word' });
  await source.add(table, Array.from({ length: rows }, row));
  return new MemoryIndex(source, {
    maxBytes: 2 ** 28,
    onlyWriter: false,
    onError: (error) => expect.fail(String(error)),
    channel: new LocalChannel(),
    snapshots: null,
    maxWaitMs,
  });
}

const search = (index: MemoryIndex) => index.searchSparse(table, ['word'], 5);

test('searches wait for the copy of a small table', async () => {
  const index = await indexOf(10, UNREACHED_MS);
  expect((await Promise.all([search(index), search(index)])).flat()).toHaveLength(10);
  expect(index.memoryStats).toMatchObject({ byCopy: 2, bySource: 0 });
});

test('searches do not wait for the copy of a large table', async () => {
  const index = await indexOf(10_000, UNREACHED_MS);
  expect(await search(index)).toHaveLength(5);
  expect(index.memoryStats).toMatchObject({ byCopy: 0, bySource: 1 });
  await index.settled();
  await search(index);
  expect(index.memoryStats).toMatchObject({ byCopy: 1, bySource: 1 });
});

test('searches wait no longer than the maximum, and not for a copy that cannot be loaded', async () => {
  const impatient = await indexOf(10, 0);
  await search(impatient);
  expect(impatient.memoryStats).toMatchObject({ byCopy: 0, bySource: 1 });
  const lost = await indexOf(0, UNREACHED_MS);
  await lost.drop(table);
  expect(await search(lost)).toEqual([]);
});
