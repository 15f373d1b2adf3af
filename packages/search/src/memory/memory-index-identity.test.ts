// large: loads copies in worker threads
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IndexTable } from '../search-index.ts';
import { MemoryIndex } from './memory-index.ts';
import type { CopySource } from './copy-source.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

const table: IndexTable = { name: 'table', dimensions: null };

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

/** Adds rows of one word, each in a version of its own. */
async function tableOf(word: string, rows: number): Promise<ArrayIndex> {
  const index = new ArrayIndex();
  for (let key = 0; key < rows; key += 1)
    await index.add(table, [{ chunkKey: BigInt(key), documentKey: 1n, revision: 1, terms: word }]);
  return index;
}

/** Loads a copy of `first`, then replaces the table by `second`, as another process that drops and creates it would. */
async function replaced(first: ArrayIndex, second: ArrayIndex) {
  let there = first;
  const source = new Proxy(first, {
    get: (_, name: Exclude<keyof CopySource, 'loadsFromRecords'>) => (there[name] as () => unknown).bind(there),
  });
  const index = new MemoryIndex(source, {
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
  expect(index.memoryStats).toMatchObject({ byCopy: 1, bySource: 1 });
  there = second;
  return { index, search };
}

test('does not catch up from a replaced table of another version', async () => {
  const { index, search } = await replaced(await tableOf('old', 2), await tableOf('new', 3));
  expect(await search('new')).toBe(3);
  await index.settled();
  expect(index.memoryStats).toMatchObject({ tables: 0, byCopy: 1, bySource: 2 });
  expect(await search('new')).toBe(3);
  await index.settled();
  expect([await search('new'), await search('old')]).toEqual([3, 0]);
  expect(index.memoryStats).toMatchObject({ tables: 1, byCopy: 3, bySource: 3 });
  await index.close();
});

test('detects within a second that a table was replaced by one of the same version', async () => {
  const { index, search } = await replaced(await tableOf('old', 2), await tableOf('new', 2));
  vi.advanceTimersByTime(1000);
  expect(await Promise.all([search('new'), search('old')])).toEqual([2, 0]);
  expect(index.memoryStats).toMatchObject({ tables: 0, byCopy: 1, bySource: 3 });
  expect(await search('new')).toBe(2);
  await index.settled();
  expect([await search('new'), await search('old')]).toEqual([2, 0]);
  expect(index.memoryStats).toMatchObject({ tables: 1, byCopy: 3, bySource: 4 });
  await index.close();
});
