// large: loads copies in worker threads
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IndexUnavailableError, type IndexHit, type IndexRow, type IndexTable } from '../search-index.ts';
import { ResidentIndex } from './resident-index.ts';
import { ArraySource } from './testing/array-source.ts';
import type { CopyChannel } from '../memory/copy-channel.ts';
import { SplitChannel } from '../memory/split-channel.ts';
import { ArrayIndex } from '../testing/array-index.ts';
import { LocalChannel } from '../memory/testing/local-channel.ts';

const tables: readonly IndexTable[] = [
  { name: 'a', dimensions: 3 },
  { name: 'b', dimensions: 3 },
];
const WORDS = ['wing', 'lift', 'drag'];
const QUERY = Float32Array.of(1, 2, 3);

const at = fc.integer({ min: 0, max: tables.length - 1 });
const documentKey = fc.bigInt({ min: 0n, max: 5n });
const write = fc.record({
  do: fc.constantFrom('add' as const, 'add elsewhere' as const),
  at,
  rows: fc.array(
    fc.record({ documentKey, terms: fc.subarray(WORDS).map((words) => words.join(' ')), repeated: fc.boolean() }),
    { minLength: 1, maxLength: 4 },
  ),
});
const removal = fc.record({
  do: fc.constantFrom('remove' as const, 'remove elsewhere' as const),
  at,
  documents: fc.array(fc.record({ documentKey, belowRevision: fc.option(fc.integer({ min: 0, max: 60 })) }), {
    maxLength: 3,
  }),
});
const other = fc.record({
  do: fc.constantFrom('search' as const, 'search twice' as const, 'optimise' as const, 'settle' as const),
  at,
});
const drop = fc.record({ do: fc.constantFrom('drop' as const, 'drop elsewhere' as const), at });
const step = fc.oneof(
  { arbitrary: write, weight: 6 },
  { arbitrary: removal, weight: 4 },
  { arbitrary: other, weight: 8 },
  { arbitrary: drop, weight: 1 },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Two clients of the same records, and a reference with the same rows. */
class Run {
  readonly #expected = new ArrayIndex();
  readonly #records = new ArraySource();
  readonly #maxBytes: number;
  readonly index: ResidentIndex;
  #searches = 0;
  #keys = 0;

  constructor(maxBytes: number, channel: CopyChannel) {
    this.#maxBytes = maxBytes;
    this.index = new ResidentIndex(this.#records, {
      maxBytes,
      maxWaitMs: 60_000,
      serves: false,
      pollMs: null,
      channel,
      snapshots: null,
      recent: null,
      onError: (error) => {
        throw error;
      },
    });
  }

  get answered(): number {
    return this.#searches;
  }

  async take(step: Step): Promise<void> {
    const table = tables[step.at];
    if (table === undefined) return;
    const elsewhere = step.do.endsWith('elsewhere');
    if ('rows' in step) {
      const rows = this.#rowsOf(step.rows);
      this.#records.add(table, rows);
      await this.#expected.add(table, rows);
      if (!elsewhere) await this.index.add(table, rows);
    } else if ('documents' in step) {
      if (!elsewhere) await this.index.remove(table, step.documents);
      this.#records.remove(table, step.documents);
      await this.#expected.remove(table, step.documents);
    } else if (step.do === 'search' || step.do === 'search twice') await this.#search(table);
    else if (step.do === 'settle') await this.#settle();
    else if (step.do !== 'optimise') {
      this.#records.tables.delete(table.name);
      await this.#expected.drop(table);
      if (!elsewhere) await this.index.drop(table);
    }
  }

  async #settle(): Promise<void> {
    await this.index.settled();
    expect(this.index.memoryStats.bytes).toBeLessThanOrEqual(this.#maxBytes);
  }

  #rowsOf(rows: readonly { documentKey: bigint; terms: string; repeated: boolean }[]): IndexRow[] {
    return rows.map(({ repeated: _repeated, ...row }) => {
      this.#keys += 1;
      return { ...row, chunkKey: BigInt(this.#keys), revision: this.#keys, vector: vectorOf(this.#keys) };
    });
  }

  /** Searches after the changes of the other client were applied; a table that is too large is refused. */
  async #search(table: IndexTable): Promise<void> {
    await this.index.refresh();
    try {
      const [sparse, dense] = await Promise.all([
        this.index.searchSparse(table, ['wing', 'drag'], 999),
        this.index.searchDense(table, QUERY, 999),
      ]);
      expect(keysOf(sparse)).toEqual(keysOf(await this.#expected.searchSparse(table, ['wing', 'drag'], 999)));
      expect(keysOf(dense)).toEqual(keysOf(await this.#expected.searchDense(table, QUERY, 999)));
      this.#searches += 1;
    } catch (error) {
      if (!(error instanceof IndexUnavailableError)) throw error;
      expect(error.message).toMatch('QUIRE_SEARCH_MEMORY');
    }
  }
}

const keysOf = (hits: readonly IndexHit[]): string[] =>
  hits.map(({ chunkKey, documentKey, revision }) => `${chunkKey} ${documentKey} ${revision}`).toSorted();

function vectorOf(key: number): Float32Array {
  return Float32Array.of(key % 5, (key % 7) - 3, 1);
}

const inOne = (): CopyChannel => new LocalChannel();
const inTwo = (): CopyChannel => new SplitChannel(new LocalChannel(), new LocalChannel(), 0);

test.each([
  ['one', inOne],
  ['two', inTwo],
])('finds what the records hold and nothing else, in %s threads', async (_threads, open) => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
      // A budget for no table, for one of the two, for both.
      fc.constantFrom(100, 100_000, 2 ** 20),
      async (steps, maxBytes) => {
        const run = new Run(maxBytes, open());
        for (const each of steps) await run.take(each);
        answered += run.answered;
        await run.index.close();
      },
    ),
    { numRuns: 150 },
  );
  expect(answered).toBeGreaterThan(150);
});
