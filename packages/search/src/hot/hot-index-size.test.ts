import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IndexRow, IndexTable } from '../search-index.ts';
import { HotIndex } from './hot-index.ts';
import type { RowBatch } from './hot-source.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

const ROWS = 12_000;
const table: IndexTable = { name: 'large', dimensions: null };

/** Counts the rows that copies are made from. */
class CountingIndex extends ArrayIndex {
  scanned = 0;

  override async *scan(of: IndexTable, fromRowId: bigint): AsyncIterable<RowBatch> {
    for await (const batch of super.scan(of, fromRowId)) {
      this.scanned += batch.rows;
      yield batch;
    }
  }
}

let source: CountingIndex;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  source = new CountingIndex();
  await source.add(table, Array.from({ length: ROWS }, wordyRow));
});
afterEach(() => vi.useRealTimers());

/** Each with 100 of 2,000 words: some 600 bytes in a copy, where 300 are expected. */
function wordyRow(_: unknown, key: number): IndexRow {
  const terms = Array.from({ length: 100 }, (_word, at) => `word${(key * 7 + at * 20) % 2000}`).join(' ');
  return { chunkKey: BigInt(key), documentKey: BigInt(key), revision: 1, terms };
}

async function searchWith(index: HotIndex): Promise<void> {
  expect(await index.searchSparse(table, ['word20'], 5)).toHaveLength(5);
  await index.settled();
}

test('a table that is seen to take too much memory is read no further, and not again', async () => {
  const index = new HotIndex(source, {
    maxBytes: ROWS * 310,
    onlyWriter: true,
    onError: (error) => expect.fail(String(error)),
    channel: new LocalChannel(),
    snapshots: null,
  });
  await searchWith(index);
  expect(source.scanned).toBeGreaterThan(0);
  expect(source.scanned).toBeLessThan(ROWS * 0.7);
  expect(index.hotStats).toMatchObject({ tables: 0, bytes: 0 });

  const { scanned } = source;
  vi.advanceTimersByTime(10 * 60_000);
  await searchWith(index);
  expect(source.scanned).toBe(scanned);
  expect(index.hotStats).toMatchObject({ hot: 0, cold: 2 });

  // With most of its rows gone it fits.
  const removed = Array.from({ length: ROWS * 0.95 }, (_, key) => ({ documentKey: BigInt(key), belowRevision: null }));
  await index.remove(table, removed);
  vi.advanceTimersByTime(10 * 60_000);
  await searchWith(index);
  await searchWith(index);
  expect(index.hotStats).toMatchObject({ tables: 1, hot: 1 });
  await index.close();
});
