// large: loads copies in worker threads
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IndexRow, IndexTable } from '../search-index.ts';
import { MemoryIndex } from './memory-index.ts';
import type { RowBatch } from './copy-source.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

const ROWS = 12_000;
const table: IndexTable = { name: 'large', dimensions: null };

/** Counts the rows that are scanned for copies. */
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

/** Rows with 100 of 2,000 words: about 600 bytes each in a copy, where 300 are estimated. */
function wordyRow(_: unknown, key: number): IndexRow {
  const terms = Array.from({ length: 100 }, (_word, at) => `word${(key * 7 + at * 20) % 2000}`).join(' ');
  return { chunkKey: BigInt(key), documentKey: BigInt(key), revision: 1, terms };
}

async function searchWith(index: MemoryIndex): Promise<void> {
  expect(await index.searchSparse(table, ['word20'], 5)).toHaveLength(5);
  await index.settled();
}

test('stops loading a table that exceeds the memory budget and does not retry', async () => {
  const index = new MemoryIndex(source, {
    maxBytes: ROWS * 310,
    onlyWriter: true,
    onError: (error) => expect.fail(String(error)),
    channel: new LocalChannel(),
    snapshots: null,
  });
  await searchWith(index);
  expect(source.scanned).toBeGreaterThan(0);
  expect(source.scanned).toBeLessThan(ROWS * 0.7);
  expect(index.memoryStats).toMatchObject({ tables: 0, bytes: 0 });

  const { scanned } = source;
  vi.advanceTimersByTime(10 * 60_000);
  await searchWith(index);
  expect(source.scanned).toBe(scanned);
  expect(index.memoryStats).toMatchObject({ byCopy: 0, bySource: 2 });

  // Without most of its rows, the table fits.
  const removed = Array.from({ length: ROWS * 0.95 }, (_, key) => ({ documentKey: BigInt(key), belowRevision: null }));
  await index.remove(table, removed);
  vi.advanceTimersByTime(10 * 60_000);
  await searchWith(index);
  await searchWith(index);
  expect(index.memoryStats).toMatchObject({ tables: 1, byCopy: 1 });
  await index.close();
});
