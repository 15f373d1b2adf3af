import { beforeEach, expect, test } from 'vitest';
import type { ChunkSource, VisibleChunk } from './record-lookups.ts';
import type { RetrievalPlan, RetrievalTarget } from './retrieval-plan.ts';
import { retrieve } from './retrieve.ts';
import { IndexTableError, type IndexFilter, type IndexHit, type IndexTable, type SearchIndex } from './search-index.ts';

/** Answers from two prepared lists per table and records the queries. */
class ListedIndex implements SearchIndex {
  readonly lists = new Map<string, { dense: IndexHit[]; sparse: IndexHit[] }>();
  readonly queries: string[] = [];

  async searchSparse(table: IndexTable, _terms: readonly string[], limit: number, filter?: IndexFilter) {
    return this.#answer(table, 'sparse', limit, filter);
  }
  async searchDense(table: IndexTable, _vector: Float32Array, limit: number, filter?: IndexFilter) {
    return this.#answer(table, 'dense', limit, filter);
  }
  #answer(table: IndexTable, leg: 'dense' | 'sparse', limit: number, filter?: IndexFilter): IndexHit[] {
    this.queries.push(`${table.name} ${leg} ${limit}`);
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
let hidden: Set<bigint>;
/** Hits whose document is visible, but whose chunk row is missing. */
let missing: Set<bigint>;
let lookups: [hits: number, wanted: number][];
const none = async () => null;
let texts: Map<bigint, { documentKey: bigint; text: string }>;

const source: ChunkSource<VisibleChunk> = {
  lookUp: async (hits, wanted) => {
    lookups.push([hits.length, wanted.length]);
    return {
      visible: new Set(hits.filter(({ chunkKey }) => !hidden.has(chunkKey))),
      chunks: wanted
        .filter(({ chunkKey }) => !hidden.has(chunkKey) && !missing.has(chunkKey))
        .map(({ chunkKey }) => ({
          chunkKey,
          ...(texts.get(chunkKey) ?? { documentKey: chunkKey, text: `chunk ${chunkKey}` }),
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
const plan = (overrides: Partial<RetrievalPlan> = {}): RetrievalPlan => ({
  limit: 3,
  mode: 'hybrid',
  fusion: { method: 'minmax', denseWeight: 1, sparseWeight: 1 },
  postFilter: null,
  ...overrides,
});
const search = async (targets: RetrievalTarget[], overrides: Partial<RetrievalPlan> = {}) =>
  retrieve(index, targets, source, plan(overrides), new AbortController().signal);
const keysOf = ({ hits }: { hits: { chunk: VisibleChunk }[] }) => hits.map(({ chunk }) => Number(chunk.chunkKey));

beforeEach(() => {
  index = new ListedIndex();
  hidden = new Set();
  missing = new Set();
  lookups = [];
  texts = new Map();
});

test('fuses both legs and reports the position in each', async () => {
  index.lists.set('a', { dense: [hit(1, 0.9), hit(2, 0.8)], sparse: [hit(2, 8), hit(3, 2)] });
  const { hits } = await search([target()]);
  expect(hits.map(({ chunk, score }) => [chunk.chunkKey, score])).toEqual([
    [1n, 0.5],
    [2n, 0.5],
    [3n, 0.125],
  ]);
  expect(hits[1]).toMatchObject({ dense: { rank: 2, score: 0.8 }, sparse: { rank: 1, score: 8 } });
});

test('queries only the leg of the mode and keeps its raw scores', async () => {
  index.lists.set('a', { dense: [hit(1, 0.9)], sparse: [hit(2, 9)] });
  expect((await search([target()], { mode: 'sparse' })).hits).toMatchObject([{ score: 9, dense: null }]);
  expect((await search([target()], { mode: 'dense' })).hits).toMatchObject([{ score: 0.9, sparse: null }]);
  expect(index.queries).toEqual(['a sparse 50', 'a dense 50']);
});

test('ranks the visible hits as if the hidden ones did not exist', async () => {
  index.lists.set('a', { dense: [], sparse: [hit(1, 50), hit(2, 8), hit(3, 6), hit(4, 2)] });
  hidden = new Set([1n]);
  const { hits } = await search([target()], { fusion: { method: 'minmax', denseWeight: 0, sparseWeight: 1 } });
  expect(hits.map(({ chunk, score, sparse }) => [chunk.chunkKey, score, sparse?.rank])).toEqual([
    [2n, 1, 1],
    [3n, 0.75, 2],
    [4n, 0.25, 3],
  ]);
});

test('fetches more until enough hits are visible, and stops at the end of the list', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 1000)) });
  hidden = new Set(range(0, 700).map(BigInt));
  expect(keysOf(await search([target('a', null)]))).toEqual([700, 701, 702]);
  expect(index.queries).toEqual(['a sparse 50', 'a sparse 200', 'a sparse 800']);
  index.queries.length = 0;
  hidden = new Set(range(0, 1000).map(BigInt));
  expect(keysOf(await search([target('a', null)]))).toEqual([]);
  expect(index.queries.at(-1)).toBe('a sparse 3200');
});

test('over-fetches at once by the expected share of a post-filter', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 1000)) });
  hidden = new Set(range(0, 1000).flatMap((key) => (key % 2 === 0 ? [] : [BigInt(key)])));
  expect(keysOf(await search([target('a', null)], { postFilter: { expectedShare: 0.5, allowList: none } }))).toEqual([
    0, 2, 4,
  ]);
  expect(index.queries).toEqual(['a sparse 125']);
  expect(lookups).toEqual([[125, 8]]);
});

test('pushes the allow-list down when nearly no hit passes the post-filter', async () => {
  index.lists.set('a', { dense: falling(range(0, 9000)), sparse: falling(range(0, 3000)) });
  hidden = new Set(range(0, 9000).flatMap((key) => (key < 2900 ? [BigInt(key)] : [])));
  const allowList = async () => ({ includeDocuments: BigInt64Array.from(range(2890, 9000), BigInt) });
  expect(keysOf(await search([target()], { postFilter: { expectedShare: 0.5, allowList } }))).toEqual([
    2900, 2901, 2902,
  ]);
  expect(index.queries).toEqual([
    'a dense 125',
    'a sparse 125',
    'a dense 50',
    'a sparse 50',
    'a dense 200',
    'a sparse 200',
  ]);
});

test('fetches more when too many documents match for an allow-list', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 5000)) });
  hidden = new Set(range(0, 4900).map(BigInt));
  expect(keysOf(await search([target('a', null)], { postFilter: { expectedShare: 1, allowList: none } }))).toEqual([
    4900, 4901, 4902,
  ]);
  expect(index.queries).toEqual(['a sparse 50', 'a sparse 20000']);
});

test('never fetches more than 20,000 hits from a table', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 30_000)) });
  hidden = new Set(range(0, 30_000).map(BigInt));
  expect(keysOf(await search([target('a', null)]))).toEqual([]);
  expect(index.queries.at(-1)).toBe('a sparse 20000');
});

test('returns a chunk once that the index holds twice', async () => {
  index.lists.set('a', { dense: [], sparse: [hit(1, 9), hit(1, 9), hit(2, 4)] });
  expect(keysOf(await search([target('a', null)]))).toEqual([1, 2]);
});

test('queries the records once when every hit is visible', async () => {
  index.lists.set('a', { dense: falling(range(10, 30)), sparse: falling(range(0, 20)) });
  expect((await search([target()])).hits).toHaveLength(3);
  expect(lookups).toEqual([[0, 4]]);
});

test('checks all hits at once with a post-filter', async () => {
  index.lists.set('a', { dense: falling(range(10, 30)), sparse: falling(range(0, 20)) });
  hidden = new Set(range(0, 30).map(BigInt));
  const postFilter = { expectedShare: 1, allowList: none };
  const { hits, stats } = await search([target()], { postFilter });
  expect([hits, stats]).toEqual([[], { checked: 40, visible: 0 }]);
  expect(lookups).toEqual([[40, 4]]);
});

test('fills the page when the best documents are hidden', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 20)) });
  hidden = new Set(range(0, 6).map(BigInt));
  expect(keysOf(await search([target('a', null)]))).toEqual([6, 7, 8]);
  expect(lookups).toEqual([
    [0, 4],
    [16, 4],
    [0, 4],
  ]);
});

test('skips a hit whose chunk row is missing although its document is visible', async () => {
  index.lists.set('a', { dense: [], sparse: falling(range(0, 20)) });
  missing = new Set([0n, 1n, 2n, 3n, 5n]);
  expect(keysOf(await search([target('a', null)]))).toEqual([4, 6, 7]);
});

test('drops a chunk that repeats a better one of the same document, not of another', async () => {
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

test('leaves out hits that are not accepted, and fills the page with others', async () => {
  index.lists.set('a', { dense: [], sparse: [hit(1, 9), hit(2, 8), hit(3, 7), hit(4, 6)] });
  const odd = ({ chunk }: { chunk: VisibleChunk }): boolean => chunk.chunkKey % 2n === 1n;
  const sparse = plan({ mode: 'sparse', limit: 2 });
  const found = await retrieve(index, [target('a', null)], source, sparse, new AbortController().signal, odd);
  expect(keysOf(found)).toEqual([1, 3]);
});

test('a hit of the sparse leg alone has the lowest cosine of the dense list, and none without a dense leg', async () => {
  index.lists.set('a', { dense: [hit(1, 0.9), hit(2, 0.5)], sparse: [hit(3, 9)] });
  const found = await search([target('a')], { limit: 3 });
  expect(new Map(found.hits.map(({ chunk, cosine }) => [Number(chunk.chunkKey), cosine]))).toEqual(
    new Map([
      [1, 0.9],
      [2, 0.5],
      [3, 0.5],
    ]),
  );
  const sparse = await search([target('a')], { mode: 'sparse' });
  expect(sparse.hits.map(({ cosine }) => cosine)).toEqual([null]);
});

test('answers from the other tables when one does not open, and reports it', async () => {
  index.lists.set('a', { dense: [], sparse: [hit(1, 9)] });
  const found = await search([target('broken'), target('a')]);
  expect(keysOf(found)).toEqual([1]);
  expect(found.broken).toEqual([expect.objectContaining({ name: 'IndexTableError', table: 'broken' })]);
});

test('stops when the caller aborts', async () => {
  index.lists.set('a', { dense: [], sparse: [] });
  await expect(retrieve(index, [target()], source, plan(), AbortSignal.abort())).rejects.toThrow('aborted');
  expect(index.queries).toEqual([]);
});
