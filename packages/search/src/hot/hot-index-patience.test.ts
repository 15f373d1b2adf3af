import { expect, test } from 'vitest';
import type { IndexTable } from '../search-index.ts';
import { HotIndex } from './hot-index.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

const table: IndexTable = { name: 'table', dimensions: null };
/** Longer than the test may take. */
const FOR_EVER_MS = 2 ** 30;

async function indexOf(rows: number, patienceMs: number): Promise<HotIndex> {
  const source = new ArrayIndex();
  const row = (_: unknown, key: number) => ({ chunkKey: BigInt(key), documentKey: 1n, revision: 1, terms: 'word' });
  await source.add(table, Array.from({ length: rows }, row));
  return new HotIndex(source, {
    maxBytes: 2 ** 28,
    onlyWriter: false,
    onError: (error) => expect.fail(String(error)),
    channel: new LocalChannel(),
    snapshots: null,
    patienceMs,
  });
}

const search = (index: HotIndex) => index.searchSparse(table, ['word'], 5);

test('searches wait for the copy of a small table', async () => {
  const index = await indexOf(10, FOR_EVER_MS);
  expect((await Promise.all([search(index), search(index)])).flat()).toHaveLength(10);
  expect(index.hotStats).toMatchObject({ hot: 2, cold: 0 });
});

test('searches do not wait for the copy of a large table', async () => {
  const index = await indexOf(10_000, FOR_EVER_MS);
  expect(await search(index)).toHaveLength(5);
  expect(index.hotStats).toMatchObject({ hot: 0, cold: 1 });
  await index.settled();
  await search(index);
  expect(index.hotStats).toMatchObject({ hot: 1, cold: 1 });
});

test('searches wait no longer than is said, nor for a copy that is not to be', async () => {
  const impatient = await indexOf(10, 0);
  await search(impatient);
  expect(impatient.hotStats).toMatchObject({ hot: 0, cold: 1 });
  const lost = await indexOf(0, FOR_EVER_MS);
  await lost.drop(table);
  expect(await search(lost)).toEqual([]);
});
