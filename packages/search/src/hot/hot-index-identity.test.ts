import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IndexTable } from '../search-index.ts';
import { HotIndex } from './hot-index.ts';
import type { HotSource } from './hot-source.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

const table: IndexTable = { name: 'table', dimensions: null };

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

/** With so many rows of a word, and a version for each. */
async function tableOf(word: string, rows: number): Promise<ArrayIndex> {
  const index = new ArrayIndex();
  for (let key = 0; key < rows; key += 1)
    await index.add(table, [{ chunkKey: BigInt(key), documentKey: 1n, revision: 1, terms: word }]);
  return index;
}

/** A copy of `first`, whose place `second` has then taken: another process has dropped the one and made the other. */
async function replaced(first: ArrayIndex, second: ArrayIndex) {
  let there = first;
  const source = new Proxy(first, {
    get: (_, name: keyof HotSource) => (there[name] as () => unknown).bind(there),
  });
  const index = new HotIndex(source, {
    maxBytes: 2 ** 28,
    onlyWriter: false,
    onError: (error) => expect.fail(String(error)),
    channel: new LocalChannel(),
    snapshots: null,
  });
  const search = async (word: string) => (await index.searchSparse(table, [word], 5)).length;
  await search('old');
  await index.settled();
  expect(await search('old')).toBe(2);
  expect(index.hotStats).toMatchObject({ hot: 1, cold: 1 });
  there = second;
  return { index, search };
}

test('a table of another version that has taken the name of one is not added to its copy', async () => {
  const { index, search } = await replaced(await tableOf('old', 2), await tableOf('new', 3));
  expect(await search('new')).toBe(3);
  await index.settled();
  expect(index.hotStats).toMatchObject({ tables: 0, hot: 1, cold: 2 });
  expect(await search('new')).toBe(3);
  await index.settled();
  expect([await search('new'), await search('old')]).toEqual([3, 0]);
  expect(index.hotStats).toMatchObject({ tables: 1, hot: 3, cold: 3 });
  await index.close();
});

test('a table of the same version that has taken the name of one is seen to be another within a second', async () => {
  const { index, search } = await replaced(await tableOf('old', 2), await tableOf('new', 2));
  vi.advanceTimersByTime(1000);
  expect(await Promise.all([search('new'), search('old')])).toEqual([2, 0]);
  expect(index.hotStats).toMatchObject({ tables: 0, hot: 1, cold: 3 });
  expect(await search('new')).toBe(2);
  await index.settled();
  expect([await search('new'), await search('old')]).toEqual([2, 0]);
  expect(index.hotStats).toMatchObject({ tables: 1, hot: 3, cold: 4 });
  await index.close();
});
