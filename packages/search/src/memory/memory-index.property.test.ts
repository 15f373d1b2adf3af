// large: loads copies in worker threads
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IndexHit, IndexRow, IndexTable } from '../search-index.ts';
import type { CopyChannel } from './copy-channel.ts';
import { MemoryIndex } from './memory-index.ts';
import { SplitChannel } from './split-channel.ts';
import { ArrayIndex } from './testing/array-index.ts';
import { LocalChannel } from './testing/local-channel.ts';

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

/** An index with copies, and the operations of another process on the same tables. */
class Run {
  readonly #elsewhere = new ArrayIndex();
  readonly #onlyWriter: boolean;
  readonly #maxBytes: number;
  readonly index: MemoryIndex;
  /** Rows that the other process may have removed: a copy may still return them, and the records filter them. */
  readonly #ghosts = new Set<bigint>();
  #keys = 0;

  constructor(onlyWriter: boolean, maxBytes: number, channel: CopyChannel) {
    this.#onlyWriter = onlyWriter;
    this.#maxBytes = maxBytes;
    this.index = new MemoryIndex(this.#elsewhere, {
      maxBytes,
      onlyWriter,
      channel,
      snapshots: null,
      onError: (error) => {
        throw error;
      },
    });
  }

  async take(step: Step): Promise<void> {
    const table = tables[step.at];
    if (table === undefined) return;
    const elsewhere = step.do.endsWith('elsewhere');
    if (elsewhere && this.#onlyWriter) return;
    const writer = elsewhere ? this.#elsewhere : this.index;
    if ('rows' in step) await writer.add(table, this.#rowsOf(step.rows));
    else if ('documents' in step) await this.#remove(table, step.documents, elsewhere);
    else if (step.do === 'search') await this.#search(table);
    else if (step.do === 'search twice') await this.#searchTwice(table);
    else if (step.do === 'optimise') await this.index.optimize(table);
    else if (step.do === 'settle') await this.#settle();
    else await this.#drop(table, elsewhere);
  }

  /** The copy answers the second search, if the table can have one. */
  async #searchTwice(table: IndexTable): Promise<void> {
    await this.#search(table);
    await this.#settle();
    await this.#search(table);
  }

  async #settle(): Promise<void> {
    await this.index.settled();
    expect(this.index.memoryStats.bytes).toBeLessThanOrEqual(this.#maxBytes);
  }

  #rowsOf(rows: readonly { documentKey: bigint; terms: string; repeated: boolean }[]): IndexRow[] {
    return rows.map(({ repeated, ...row }) => {
      // An ingestion step that runs twice writes a chunk twice with the same contents.
      if (!repeated || this.#keys === 0) this.#keys += 1;
      const key = this.#keys;
      const words = WORDS.slice(key % 3).join(' ');
      return repeated
        ? { chunkKey: BigInt(-key), documentKey: BigInt(key % 6), revision: key, terms: words, vector: vectorOf(key) }
        : { ...row, chunkKey: BigInt(key), revision: key, vector: vectorOf(key) };
    });
  }

  async #remove(
    table: IndexTable,
    documents: readonly { documentKey: bigint; belowRevision: number | null }[],
    elsewhere: boolean,
  ): Promise<void> {
    if (!elsewhere) return this.index.remove(table, documents);
    await this.#expectGhosts(table);
    await this.#elsewhere.remove(table, documents);
  }

  async #drop(table: IndexTable, elsewhere: boolean): Promise<void> {
    if (!elsewhere) return this.index.drop(table);
    await this.#expectGhosts(table);
    await this.#elsewhere.drop(table);
  }

  async #expectGhosts(table: IndexTable): Promise<void> {
    for (const { chunkKey } of await this.#elsewhere.searchDense(table, QUERY, 999)) this.#ghosts.add(chunkKey);
  }

  async #search(table: IndexTable): Promise<void> {
    const [sparse, dense] = await Promise.all([
      this.index.searchSparse(table, ['wing', 'drag'], 999),
      this.index.searchDense(table, QUERY, 999),
    ]);
    this.#check(sparse, await this.#elsewhere.searchSparse(table, ['wing', 'drag'], 999));
    this.#check(dense, await this.#elsewhere.searchDense(table, QUERY, 999));
  }

  #check(found: readonly IndexHit[], expected: readonly IndexHit[]): void {
    const wanted = new Map(expected.map((hit) => [hit.chunkKey, hit]));
    const keys = found.map((hit) => hit.chunkKey);
    expect(keys).toEqual(expect.arrayContaining([...wanted.keys()]));
    expect(keys.filter((key) => !wanted.has(key) && !this.#ghosts.has(key))).toEqual([]);
    for (const { score: _score, ...keysOfHit } of found) {
      const hit = wanted.get(keysOfHit.chunkKey);
      if (hit !== undefined) expect(hit).toMatchObject(keysOfHit);
    }
    expect(keys.length).toBeLessThanOrEqual(Math.max(expected.length, new Set(keys).size));
  }
}

function vectorOf(key: number): Float32Array {
  return Float32Array.of(key % 5, (key % 7) - 3, 1);
}

const inOne = (): CopyChannel => new LocalChannel();
const inTwo = (): CopyChannel => new SplitChannel(new LocalChannel(), new LocalChannel(), 0);

test.each([
  [true, 'one', inOne],
  [false, 'one', inOne],
  [false, 'two', inTwo],
])(
  'sees what was added and nothing that was dropped (only writer: %s, threads: %s)',
  async (onlyWriter, _threads, open) => {
    let answeredByCopy = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
        // A budget for no copy, for one of the two, for both.
        fc.constantFrom(0, 100_000, 2 ** 20),
        async (steps, maxBytes) => {
          const run = new Run(onlyWriter, maxBytes, open());
          for (const each of steps) await run.take(each);
          answeredByCopy += run.index.memoryStats.byCopy;
          await run.index.close();
        },
      ),
      { numRuns: 150 },
    );
    expect(answeredByCopy).toBeGreaterThan(150);
  },
);
