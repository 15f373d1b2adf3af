import { beforeEach, expect, test } from 'vitest';
import { retrieve, type ChunkSource, type LiveChunk, type RetrievalOptions, type RetrievalTarget } from './retrieve.ts';
import { IndexTableError, type IndexFilter, type IndexHit, type IndexTable, type SearchIndex } from './search-index.ts';

/** Answers from two prepared lists a table, and counts what it is asked. */
class ListedIndex implements SearchIndex {
  readonly lists = new Map<string, { dense: IndexHit[]; sparse: IndexHit[] }>();
  readonly asked: string[] = [];

  async searchSparse(table: IndexTable, _terms: readonly string[], limit: number, filter?: IndexFilter) {
    return this.#answer(table, 'sparse', limit, filter);
  }
  async searchDense(table: IndexTable, _vector: Float32Array, limit: number, filter?: IndexFilter) {
    return this.#answer(table, 'dense', limit, filter);
  }
  #answer(table: IndexTable, leg: 'dense' | 'sparse', limit: number, filter?: IndexFilter): IndexHit[] {
    this.asked.push(`${table.name} ${leg} ${limit}`);
    const lists = this.lists.get(table.name);
    if (lists === undefined) throw new IndexTableError(table.name, new Error('no manifest'));
    const documents = filter?.includeDocuments && new Set(filter.includeDocuments);
    return lists[leg].filter(({ documentKey }) => documents?.has(documentKey) !== false).slice(0, limit);
  }
  async add(): Promise<void> {}
  async remove(): Promise<void> {}
  async stats() {
    return undefined;
  }
  async optimize(): Promise<void> {}
  async drop(): Promise<void> {}
  async list(): Promise<string[]> {
    return [];
  }
  async close(): Promise<void> {}
}

const hit = (key: number, score: number): IndexHit => ({
  chunkKey: BigInt(key),
  documentKey: BigInt(key),
  revision: 1,
  score,
});
const falling = (keys: number[]) => keys.map((key, rank) => hit(key, 100 - rank / 10));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, step) => from + step);

let index: ListedIndex;
let dead: Set<bigint>;
let filters: boolean;
/** Hits whose document is alive, but whose passage is gone. */
let without: Set<bigint>;
let looks: [hits: number, wanted: number][];
let texts: Map<bigint, { documentKey: bigint; text: string }>;

const source: ChunkSource<LiveChunk> = {
  get filters() {
    return filters;
  },
  look: async (hits, wanted) => {
    looks.push([hits.length, wanted.length]);
    return {
      alive: new Set(hits.filter(({ chunkKey }) => !dead.has(chunkKey))),
      chunks: wanted
        .filter(({ chunkKey }) => !dead.has(chunkKey) && !without.has(chunkKey))
        .map(({ chunkKey }) => ({
          chunkKey,
          ...(texts.get(chunkKey) ?? { documentKey: chunkKey, text: `passage ${chunkKey}` }),
        })),
    };
  },
};

const target = (name = 'a', vectorSpace: string | null = 'small'): RetrievalTarget => ({
  table: { name, dimensions: 2 },
  terms: ['wing'],
  vector: vectorSpace === null ? null : Float32Array.from([1, 0]),
  vectorSpace,
});
const options = (overrides: Partial<RetrievalOptions> = {}): RetrievalOptions => ({
  limit: 3,
  mode: 'hybrid',
  fusion: { method: 'minmax', denseWeight: 1, sparseWeight: 1 },
  ...overrides,
});
const search = async (targets: RetrievalTarget[], overrides: Partial<RetrievalOptions> = {}) =>
  retrieve(index, targets, source, options(overrides), new AbortController().signal);
const keysOf = ({ hits }: { hits: { chunk: LiveChunk }[] }) => hits.map(({ chunk }) => Number(chunk.chunkKey));

beforeEach(() => {
  index = new ListedIndex();
  dead = new Set();
  filters = false;
  without = new Set();
  looks = [];
  texts = new Map();
});

test('fuses both legs, with what each said', async () => {
  index.lists.set('a', { dense: [hit(1, 0.9), hit(2, 0.8)], sparse: [hit(2, 8), hit(3, 2)] });
  const { hits } = await search([target()]);
  expect(hits.map(({ chunk, score }) => [chunk.chunkKey, score])).toEqual([
    [1n, 0.5],
    [2n, 0.5],
    [3n, 0.125],
  ]);
  expect(hits[1]).toMatchObject({ dense: { rank: 2, score: 0.8 }, sparse: { rank: 1, score: 8 } });
});

test('asks only the leg of the mode, and keeps its raw scores', async () => {
  index.lists.set('a', { dense: [hit(1, 0.9)], sparse: [hit(2, 9)] });
  expect((await search([target()], { mode: 'sparse' })).hits).toMatchObject([{ score: 9, dense: null }]);
  expect((await search([target()], { mode: 'dense' })).hits).toMatchObject([{ score: 0.9, sparse: null }]);
  expect(index.asked).toEqual(['a sparse 50', 'a dense 50']);
});

test('leaves out what the records hide, and ranks the rest as if it had never been there', async () => {
  index.lists.set('a', { dense: [], sparse: [hit(1, 50), hit(2, 8), hit(3, 6), hit(4, 2)] });
  dead = new Set([1n]);
  const { hits } = await search([target()], { fusion: { method: 'minmax', denseWeight: 0, sparseWeight: 1 } });
  expect(hits.map(({ chunk, score, sparse }) => [chunk.chunkKey, score, sparse?.rank])).toEqual([
    [2n, 1, 1],
    [3n, 0.75, 2],
    [4n, 0.25, 3],
  ]);
});

test('asks deeper until enough is alive, and stops at the end of the list', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 1000)) });
  dead = new Set(range(0, 700).map(BigInt));
  expect(keysOf(await search([target('a', null)]))).toEqual([700, 701, 702]);
  expect(index.asked).toEqual(['a sparse 50', 'a sparse 200', 'a sparse 800']);
  index.asked.length = 0;
  dead = new Set(range(0, 1000).map(BigInt));
  expect(keysOf(await search([target('a', null)]))).toEqual([]);
  expect(index.asked.at(-1)).toBe('a sparse 3200');
});

test('asks deeper at once where the records are expected to let a part of the hits through', async () => {
  filters = true;
  index.lists.set('a', { dense: [], sparse: falling(range(0, 1000)) });
  dead = new Set(range(0, 1000).flatMap((key) => (key % 2 === 0 ? [] : [BigInt(key)])));
  expect(keysOf(await search([target('a', null)], { expectedShare: 0.5 }))).toEqual([0, 2, 4]);
  expect(index.asked).toEqual(['a sparse 125']);
  expect(looks).toEqual([[125, 8]]);
});

test('searches only what can be a hit where the records let nearly nothing through', async () => {
  filters = true;
  index.lists.set('a', { dense: falling(range(0, 9000)), sparse: falling(range(0, 3000)) });
  dead = new Set(range(0, 9000).flatMap((key) => (key < 2900 ? [BigInt(key)] : [])));
  const narrow = async () => ({ includeDocuments: BigInt64Array.from(range(2890, 9000), BigInt) });
  expect(keysOf(await search([target()], { expectedShare: 0.5, narrow }))).toEqual([2900, 2901, 2902]);
  expect(index.asked).toEqual([
    'a dense 125',
    'a sparse 125',
    'a dense 50',
    'a sparse 50',
    'a dense 200',
    'a sparse 200',
  ]);
});

test('searches deeper where too many documents can be hits to be named', async () => {
  filters = true;
  index.lists.set('a', { dense: [], sparse: falling(range(0, 5000)) });
  dead = new Set(range(0, 4900).map(BigInt));
  const narrow = async () => null;
  expect(keysOf(await search([target('a', null)], { expectedShare: 1, narrow }))).toEqual([4900, 4901, 4902]);
  expect(index.asked).toEqual(['a sparse 50', 'a sparse 20000']);
});

test('never asks a table for more than 20,000 hits', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 30_000)) });
  dead = new Set(range(0, 30_000).map(BigInt));
  expect(keysOf(await search([target('a', null)]))).toEqual([]);
  expect(index.asked.at(-1)).toBe('a sparse 20000');
});

test('gives a chunk that the index holds twice once', async () => {
  index.lists.set('a', { dense: [], sparse: [hit(1, 9), hit(1, 9), hit(2, 4)] });
  expect(keysOf(await search([target('a', null)]))).toEqual([1, 2]);
});

test('looks at the records once when everything is alive', async () => {
  index.lists.set('a', { dense: falling(range(10, 30)), sparse: falling(range(0, 20)) });
  expect((await search([target()])).hits).toHaveLength(3);
  expect(looks).toEqual([[0, 4]]);
});

test('looks at all hits at once where a filter hides many', async () => {
  index.lists.set('a', { dense: falling(range(10, 30)), sparse: falling(range(0, 20)) });
  dead = new Set(range(0, 30).map(BigInt));
  filters = true;
  expect((await search([target()])).hits).toEqual([]);
  expect(looks).toEqual([[40, 4]]);
});

test('fills up when the best documents are dead', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 20)) });
  dead = new Set(range(0, 6).map(BigInt));
  expect(keysOf(await search([target('a', null)]))).toEqual([6, 7, 8]);
  expect(looks).toEqual([
    [0, 4],
    [16, 4],
    [0, 4],
  ]);
});

test('passes over a passage that is gone although its document is alive', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 20)) });
  without = new Set([0n, 1n, 2n, 3n, 5n]);
  expect(keysOf(await search([target('a', null)]))).toEqual([4, 6, 7]);
});

test('drops a passage that repeats a better one of the same document, not of another', async () => {
  index.lists.set('a', { dense: [], sparse: falling([1, 2, 3]) });
  const text = 'The wing of the aeroplane meets the air at an angle of attack.';
  texts = new Map([
    [1n, { documentKey: 1n, text }],
    [2n, { documentKey: 1n, text: text.slice(10) }],
    [3n, { documentKey: 2n, text }],
  ]);
  expect(keysOf(await search([target('a', null)]))).toEqual([1, 3]);
});

test('compares BM25 over all tables, and cosines within one vector space', async () => {
  index.lists.set('a', { dense: [hit(1, 0.9), hit(2, 0.5)], sparse: [] });
  index.lists.set('b', { dense: [hit(3, 0.7), hit(4, 0.6)], sparse: [] });
  const fusion = { method: 'minmax', denseWeight: 1, sparseWeight: 0 } as const;
  expect(keysOf(await search([target('a'), target('b')], { limit: 4, fusion }))).toEqual([1, 3, 4, 2]);
  expect(keysOf(await search([target('a'), target('b', 'large')], { limit: 4, fusion }))).toEqual([1, 3, 2, 4]);
});

test('keeps hits of at least the least score', async () => {
  index.lists.set('a', { dense: [], sparse: [hit(1, 9), hit(2, 6), hit(3, 5)] });
  expect(keysOf(await search([target('a', null)], { mode: 'sparse', minScore: 6 }))).toEqual([1, 2]);
});

test('answers from the other tables when one does not open, and names it', async () => {
  index.lists.set('a', { dense: [], sparse: [hit(1, 9)] });
  const found = await search([target('broken'), target('a')]);
  expect(keysOf(found)).toEqual([1]);
  expect(found.broken).toEqual([expect.objectContaining({ name: 'IndexTableError', table: 'broken' })]);
});

test('stops when the caller has gone', async () => {
  index.lists.set('a', { dense: [], sparse: [] });
  await expect(retrieve(index, [target()], source, options(), AbortSignal.abort())).rejects.toThrow('aborted');
  expect(index.asked).toEqual([]);
});
