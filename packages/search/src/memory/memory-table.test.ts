import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IndexHit, IndexRow, IndexTable } from '../search-index.ts';
import { WasmPages } from './wasm-pages.ts';
import { MemoryTable } from './memory-table.ts';
import { ArrayIndex } from '../testing/array-index.ts';

const DIMENSIONS = 5;
const table: IndexTable = { name: 'chunks', dimensions: DIMENSIONS };
const memory = new WasmPages();

const words = ['wing', 'lift', 'drag', 'rotor', '翼', 'é'];
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((numbers) => Float32Array.from(numbers));
const content = fc.record({
  documentKey: fc.bigInt({ min: 0n, max: 6n }),
  terms: fc.array(fc.constantFrom(...words), { maxLength: 9 }).map((terms) => terms.join(' ')),
  vector,
});
const filter = fc.record(
  {
    includeDocuments: fc.array(fc.bigInt({ min: 0n, max: 7n }), { maxLength: 5 }),
    excludeDocuments: fc.array(fc.bigInt({ min: 0n, max: 7n }), { maxLength: 5 }),
  },
  { requiredKeys: [] },
);

/** Compares the scores, and each hit with the one of the same key, since hits of equal score may come in any order. */
function expectSame(found: readonly IndexHit[], expected: readonly IndexHit[], all: readonly IndexHit[]): void {
  expect(found.length).toBe(expected.length);
  const scores = new Map(all.map((hit) => [hit.chunkKey, hit]));
  for (const [at, hit] of found.entries()) {
    expect(hit.score).toBeCloseTo(expected[at]?.score ?? NaN, 4);
    expect({ ...hit, score: 0 }).toEqual({ ...scores.get(hit.chunkKey), score: 0 });
    expect(hit.score).toBeCloseTo(scores.get(hit.chunkKey)?.score ?? NaN, 4);
  }
  expect(new Set(found.map((hit) => hit.chunkKey)).size).toBe(found.length);
}

test('answers like an index that scans every row', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { maxLength: 40 }),
      fc.uniqueArray(fc.constantFrom(...words, 'tail'), { maxLength: 4 }),
      vector,
      fc.integer({ min: 1, max: 50 }),
      filter,
      async (contents, terms, query, limit, restriction) => {
        const rows: IndexRow[] = contents.map((each, key) => ({ ...each, chunkKey: BigInt(key), revision: key % 3 }));
        const reference = new ArrayIndex();
        await reference.add(table, rows);
        const hot = new MemoryTable(DIMENSIONS, memory);
        for (const row of rows) hot.add({ ...row, terms: Buffer.from(row.terms), vectors: row.vector ?? [] });
        const [sparse, dense] = [
          await reference.searchSparse(table, terms, 99),
          await reference.searchDense(table, query, 99),
        ];
        expectSame(
          hot.searchSparse(terms, limit, restriction),
          await reference.searchSparse(table, terms, limit, restriction),
          sparse,
        );
        expectSame(
          hot.searchDense(query, limit, restriction),
          await reference.searchDense(table, query, limit, restriction),
          dense,
        );
        hot.release();
      },
    ),
  );
});

test('a row replaces an older one of the same chunk', () => {
  const hot = new MemoryTable(null, memory);
  const row = { chunkKey: 1n, documentKey: 2n, revision: 1 };
  hot.add({ ...row, terms: Buffer.from('wing') });
  hot.add({ ...row, terms: Buffer.from('rotor wing') });
  expect(hot.searchSparse(['wing'], 9)).toMatchObject([{ chunkKey: 1n }]);
  expect([hot.rows, hot.removedRows]).toEqual([1, 1]);
});

test('replaces a misspelt word by the most frequent similar words', () => {
  const hot = new MemoryTable(null, memory);
  const texts = ['marten', 'martin', 'martin', 'barton', 'martinet', 'marton', 'marton', 'marzon', 'marzon'];
  for (const [key, terms] of texts.entries())
    hot.add({ chunkKey: BigInt(key), documentKey: 1n, revision: 1, terms: Buffer.from(terms) });
  const found = hot.searchSparse(['mart\u0259n'], 99).map((hit) => texts[Number(hit.chunkKey)]);
  expect(new Set(found)).toEqual(new Set(['marten', 'martin', 'marton']));
  expect(hot.searchSparse(['matrin'], 99).map((hit) => hit.chunkKey)).toEqual([1n, 2n]);
  expect(hot.searchSparse(['maron'], 99).map((hit) => hit.chunkKey)).toEqual([5n, 6n, 7n, 8n]);
});
