/**
 * The tests that every `SearchIndex` must pass. `open` returns another client of the same store, such as a second
 * process has. Cosines are compared to `digits` digits; `deferred` states that rows are
 * indexed by `optimize` only.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { QueryTerm } from '@quire/text/language/analyse-query';
import { type IndexFilter, type IndexHit, type IndexRow, type IndexTable, type SearchIndex } from './search-index.ts';

export function searchIndexConformance(open: () => Promise<SearchIndex>, digits = 6, deferred = true): void {
  let index: SearchIndex;
  let other: SearchIndex;
  let table: IndexTable;
  let tables = 0;

  beforeAll(async () => {
    index = await open();
    other = await open();
  });
  afterAll(async () => {
    await index.close();
    await other.close();
  });
  beforeEach(() => {
    tables += 1;
    table = { name: `chunks_${tables}`, dimensions: 4 };
  });

  const sparse = async (terms: QueryTerm[], filter?: IndexFilter, limit = 10) =>
    keysOf(await index.searchSparse(table, terms, limit, filter));
  const dense = async (vector: number[], filter?: IndexFilter, limit = 10) =>
    keysOf(await index.searchDense(table, Float32Array.from(vector), limit, filter));

  test('returns nothing for a table that does not exist', async () => {
    expect(await sparse(['wing'])).toEqual([]);
    expect(await dense([1, 0, 0, 0])).toEqual([]);
    expect(await index.stats(table)).toBeUndefined();
    await index.remove(table, [{ documentKey: 1n, belowRevision: null }]);
    await index.optimize(table);
    await index.drop(table);
  });

  test('finds rows as soon as add resolves, in both clients', async () => {
    await index.add(table, [row(1, 'wing lift'), row(2, 'rotor')]);
    expect(await sparse(['wing'])).toEqual([1n]);
    expect(keysOf(await other.searchSparse(table, ['rotor'], 10))).toEqual([2n]);
    await other.add(table, [row(3, 'wing')]);
    expect(ascending(await sparse(['wing']))).toEqual([1n, 3n]);
  });

  test('returns keys, revision and score of a hit', async () => {
    await index.add(table, [{ ...row(7, 'wing'), documentKey: 2n ** 40n, revision: 3, vector: unit([3, 4, 0, 0]) }]);
    const [hit] = await index.searchDense(table, unit([1, 0, 0, 0]), 1);
    expect(hit).toMatchObject({ chunkKey: 7n, documentKey: 2n ** 40n, revision: 3 });
    expect(hit?.score).toBeCloseTo(0.6, digits);
  });

  test('uses the stems of other languages only for a word that no row has in the main ones', async () => {
    await index.add(table, [row(1, 'frist vertrag'), row(2, 'fristen'), row(3, 'vertrag')]);
    const vertraege = { terms: ['vertrage', 'vertrags'], otherwise: ['vertrag', 'vertr'] };
    expect(ascending(await sparse([vertraege]))).toEqual([1n, 3n]);
    expect(await sparse([{ terms: ['fristen', 'fristens'], otherwise: ['frist'] }])).toEqual([2n]);
    expect(await sparse([{ terms: ['fristem'], otherwise: ['fristemm'] }])).toEqual([2n]);
    expect(ascending(await sparse([vertraege, 'fristen']))).toEqual([1n, 2n, 3n]);
  });

  test('corrects a word that no row has, and never one that a row has', async () => {
    await index.add(table, [row(1, 'turbulent layer'), row(2, 'laminar layer'), row(3, 'turbulence')]);
    expect(await sparse(['turbulant'])).toEqual([1n]);
    expect(await sparse(['lamnar', 'layer'])).toEqual([2n, 1n]);
    expect(await sparse(['turbulence'])).toEqual([3n]);
    await index.add(table, [row(4, 'turbulant')]);
    expect(await sparse(['turbulant'])).toEqual([4n]);
  });

  test('never corrects short words and codes', async () => {
    await index.add(table, [row(1, 'wing'), row(2, 'err4711')]);
    expect(await sparse(['wind'])).toEqual([]);
    expect(await sparse(['err4712'])).toEqual([]);
  });

  test('ranks by BM25: rare terms and more of them first', async () => {
    await index.add(table, [
      row(1, 'wing lift drag'),
      row(2, 'wing rotor blade'),
      row(3, 'wing wing rotor'),
      row(4, 'tail'),
    ]);
    expect(await sparse(['wing', 'lift'])).toEqual([1n, 3n, 2n]);
    expect(await sparse(['wing', 'lift'], undefined, 1)).toEqual([1n]);
  });

  test.each([
    'c++',
    'ab-12/3',
    'err_conn_4711',
    '1000000.50',
    '检索',
    'café',
    'cafe',
    'AND',
    'foo*',
    '"foo"',
    'a:b',
    '+plus',
    '-minus',
    '(x)',
    '\\',
    '~',
    "o'k",
    '😀',
    'x'.repeat(64),
  ])('searches the term %s literally', async (term) => {
    await index.add(table, [row(1, `before ${term} after`), row(2, 'foo plus minus x ok other')]);
    expect(await sparse([term])).toEqual([1n]);
  });

  test('counts a repeated term repeatedly', async () => {
    await index.add(table, [row(1, 'wing lift'), row(2, 'rotor lift'), row(3, 'tail lift')]);
    const [once] = await index.searchSparse(table, ['wing'], 1);
    const [twice] = await index.searchSparse(table, ['wing', 'wing'], 1);
    expect(twice?.score).toBeCloseTo(2 * (once?.score ?? 0), digits);
    expect(await sparse(['wing', 'rotor', 'rotor'])).toEqual([2n, 1n]);
  });

  test('finds rows added after optimize', async () => {
    await index.add(table, [row(1, 'wing')]);
    await index.optimize(table);
    await index.add(table, [row(2, 'wing rotor')]);
    await index.add(table, [row(3, 'rotor')]);
    expect(ascending(await sparse(['wing']))).toEqual([1n, 2n]);
    expect(await dense([3, 1, 0, 0], undefined, 1)).toEqual([2n]);
  });

  test('ranks vectors by cosine', async () => {
    await index.add(
      table,
      [1, 2, 3].map((key) => row(key, 'x')),
    );
    expect(await dense([1, 0, 0, 0])).toEqual([3n, 2n, 1n]);
    expect(await dense([1, 1, 0, 0])).toEqual([1n, 2n, 3n]);
  });

  test('applies the document filter before the limit', async () => {
    await index.add(
      table,
      Array.from({ length: 60 }, (_, key) => row(key, 'wing', Math.floor(key / 10))),
    );
    const inside = await sparse(['wing'], { includeDocuments: [3n] });
    expect(ascending(inside)).toEqual(range(30, 40));
    expect(await sparse(['wing'], { includeDocuments: [] })).toEqual([]);
    expect(ascending(await sparse(['wing'], { excludeDocuments: [0n, 1n, 2n, 3n, 4n] }))).toEqual(range(50, 60));
    expect(ascending(await dense([1, 0, 0, 0], { includeDocuments: [5n, 4n], excludeDocuments: [4n] }))).toEqual(
      range(50, 60),
    );
    expect(
      await sparse(['wing'], { includeDocuments: Array.from({ length: 5000 }, (_, key) => BigInt(key + 5)) }, 100),
    ).toHaveLength(10);
  });

  test('removes all rows of a document, or those below a revision', async () => {
    await index.add(table, [
      { ...row(1, 'wing', 1), revision: 1 },
      { ...row(2, 'wing', 1), revision: 2 },
      { ...row(3, 'wing', 2), revision: 1 },
      { ...row(4, 'wing', 3), revision: 1 },
    ]);
    await index.remove(table, [
      { documentKey: 1n, belowRevision: 2 },
      { documentKey: 2n, belowRevision: null },
      { documentKey: 9n, belowRevision: null },
    ]);
    expect(ascending(await sparse(['wing']))).toEqual([2n, 4n]);
    expect(ascending(await dense([1, 0, 0, 0]))).toEqual([2n, 4n]);
    await index.remove(table, [
      { documentKey: 1n, belowRevision: null },
      { documentKey: 3n, belowRevision: null },
    ]);
    expect(await sparse(['wing'])).toEqual([]);
    await index.optimize(table);
    await index.add(table, [row(5, 'wing')]);
    expect(await sparse(['wing'])).toEqual([5n]);
  });

  test('removes more documents than fit in one statement', async () => {
    await index.add(
      table,
      Array.from({ length: 2500 }, (_, key) => row(key, 'wing', key)),
    );
    await index.remove(
      table,
      Array.from({ length: 2499 }, (_, key) => ({ documentKey: BigInt(key), belowRevision: null })),
    );
    expect(await sparse(['wing'])).toEqual([2499n]);
  });

  test.runIf(deferred)(
    'counts rows, unindexed rows and fragments; optimising leaves no row unindexed and merges fragments',
    async () => {
      await index.add(table, [row(1, 'wing'), row(2, 'rotor')]);
      await index.add(table, [row(3, 'wing')]);
      expect(await index.stats(table)).toEqual({ rows: 3, unindexedRows: 1, fragments: 2 });
      await index.optimize(table);
      expect(await index.stats(table)).toMatchObject({ rows: 3, unindexedRows: 0 });
      // Indexed and unindexed fragments are merged only by the next call.
      await index.optimize(table);
      expect(await index.stats(table)).toEqual({ rows: 3, unindexedRows: 0, fragments: 1 });
      expect(ascending(await sparse(['wing']))).toEqual([1n, 3n]);
    },
  );

  test('rows of a build are searchable once it is optimised; removed ones are not', async () => {
    await index.add(table, [row(1, 'wing'), row(2, 'wing'), row(3, 'wing')], { isBuild: true });
    await other.remove(table, [{ documentKey: 2n, belowRevision: null }]);
    await index.add(table, [row(4, 'wing')], { isBuild: true });
    await index.optimize(table);
    expect(ascending(await sparse(['wing']))).toEqual([1n, 3n, 4n]);
    expect(await other.stats(table)).toMatchObject({ rows: 3 });
  });

  test('counts rows', async () => {
    await index.add(table, [row(1, 'wing'), row(2, 'rotor')]);
    await index.add(table, [row(3, 'wing')]);
    await index.remove(table, [{ documentKey: 2n, belowRevision: null }]);
    await index.optimize(table);
    expect(await index.stats(table)).toMatchObject({ rows: 2, unindexedRows: 0 });
  });

  test('supports tables without vectors', async () => {
    table = { ...table, dimensions: null };
    const { vector: _vector, ...plain } = row(1, 'wing');
    await index.add(table, [plain]);
    await index.optimize(table);
    expect(await sparse(['wing'])).toEqual([1n]);
  });

  test('refuses a vector with other dimensions', async () => {
    await expect(index.add(table, [{ ...row(1, 'wing'), vector: new Float32Array(3) }])).rejects.toThrow(RangeError);
  });

  test('drops a table and accepts its name again for other contents', async () => {
    await index.add(table, [row(1, 'wing'), row(2, 'wing')]);
    await other.searchSparse(table, ['wing'], 10);
    await index.drop(table);
    expect(await other.stats(table)).toBeUndefined();
    expect(await index.list()).not.toContain(table.name);
    await other.add(table, [row(3, 'wing')]);
    expect(await sparse(['wing'])).toEqual([3n]);
    expect(keysOf(await other.searchSparse(table, ['wing'], 10))).toEqual([3n]);
    expect(await index.list()).toContain(table.name);
  });

  test('loses no row when two clients add, remove and optimise concurrently', async () => {
    const write = async (writer: SearchIndex, offset: number) => {
      for (let key = offset; key < 40; key += 2) {
        await writer.add(table, [row(key, 'wing', key), row(key + 1000, 'wing', key + 1000)]);
        if (key % 10 < 2) await writer.optimize(table);
        await writer.remove(table, [{ documentKey: BigInt(key + 1000), belowRevision: null }]);
      }
    };
    await Promise.all([write(index, 0), write(other, 1)]);
    const found = ascending(await sparse(['wing'], undefined, 200));
    expect([found, (await index.stats(table))?.rows]).toEqual([range(0, 40), 40]);
  });

  /** Neighbours on the circle differ by 1e-8, which an index with fewer digits cannot order. */
  const byCosine = (keys: bigint[]): bigint[] => (digits < 6 ? ascending(keys) : keys);

  test('finds nearest vectors of an indexed table, and rows added later', async () => {
    const rows = Array.from({ length: 12_000 }, (_, key) => ({
      ...row(key, `t${key % 50}`),
      vector: onCircle(key, 12_000),
    }));
    await index.add(table, rows);
    await index.optimize(table);
    await index.add(table, [{ ...row(20_000, 'late'), vector: onCircle(600.5, 12_000) }]);
    const near = keysOf(await index.searchDense(table, onCircle(600.4, 12_000), 5));
    expect(byCosine(near)).toEqual(byCosine([20_000n, 600n, 601n, 599n, 602n]));
    await index.remove(table, [{ documentKey: 600n, belowRevision: null }]);
    expect(byCosine(keysOf(await index.searchDense(table, onCircle(600.4, 12_000), 2)))).toEqual(
      byCosine([20_000n, 601n]),
    );
    const elsewhere = { includeDocuments: [6000n, 6001n] };
    const restricted = keysOf(await index.searchDense(table, onCircle(600, 12_000), 5, elsewhere));
    expect(byCosine(restricted)).toEqual(byCosine([6000n, 6001n]));
  });
}

/** Returns a row whose vector is further from the diagonal the greater its key. */
function row(key: number, terms: string, document = key): IndexRow {
  return { chunkKey: BigInt(key), documentKey: BigInt(document), revision: 1, terms, vector: unit([key + 1, 1, 0, 0]) };
}

function unit(vector: number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}

function onCircle(step: number, steps: number): Float32Array {
  const angle = (2 * Math.PI * step) / steps;
  return Float32Array.from([Math.cos(angle), Math.sin(angle), 0, 0]);
}

function keysOf(hits: readonly IndexHit[]): bigint[] {
  return hits.map((hit) => hit.chunkKey);
}

function ascending(keys: readonly bigint[]): bigint[] {
  return keys.toSorted((a, b) => Number(a - b));
}

function range(from: number, to: number): bigint[] {
  return Array.from({ length: to - from }, (_, step) => BigInt(from + step));
}
