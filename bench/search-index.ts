/**
 * Measures the search index without the service: loading, writes and queries over synthetic chunks (384 dimensions in
 * 400 clusters, 120 terms of a Zipf vocabulary each). Run: `npx tsx bench/search-index.ts [rows=100000]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ThreadChannel } from '@quire/search/memory/copy-channel';
import { Snapshots } from '@quire/search/memory/snapshots';
import { SplitChannel } from '@quire/search/memory/split-channel';
import { ResidentIndex } from '@quire/search/resident/resident-index';
import { ArraySource } from '@quire/search/resident/testing/array-source';
import type { IndexFilter, IndexRow, IndexTable } from '@quire/search/search-index';

const ROWS = Number(process.argv[2] ?? 100_000);
const DIMENSIONS = 384;
const CLUSTERS = 400;
const TERMS = 120;
const VOCABULARY = 60_000;
const ROWS_PER_DOCUMENT = 20;
const QUERIES = 200;
const table: IndexTable = { name: 'bench', dimensions: DIMENSIONS };

/** Mulberry32 with a fixed seed: the same rows on each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = seeded(1);
const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const centres = Array.from({ length: CLUSTERS }, () => unit(Float32Array.from({ length: DIMENSIONS }, gaussian)));

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Returns a vector at the distance of chunks on one topic from their centre: a cosine of about 0.7. */
function clustered(): Float32Array {
  const centre = centres[Math.floor(random() * CLUSTERS)] ?? new Float32Array(DIMENSIONS);
  return unit(centre.map((value) => value + gaussian() / Math.sqrt(DIMENSIONS)));
}

const term = () => `t${Math.floor(VOCABULARY ** random())}`;
const makeRow = (key: number): IndexRow => ({
  chunkKey: BigInt(key),
  documentKey: BigInt(Math.floor(key / ROWS_PER_DOCUMENT)),
  revision: 1,
  terms: Array.from({ length: TERMS }, term).join(' '),
  vector: clustered(),
});

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  return `p50 ${at(0.5)} p95 ${at(0.95)} max ${at(0.999)} ms`;
}

async function timed<Result>(task: () => Promise<Result>): Promise<[Result, number]> {
  const startedAt = performance.now();
  return [await task(), performance.now() - startedAt];
}

async function measure(name: string, query: (position: number) => Promise<unknown>): Promise<void> {
  for (let position = 0; position < 20; position += 1) await query(position);
  const times: number[] = [];
  for (let position = 0; position < QUERIES; position += 1) times.push((await timed(() => query(position)))[1]);
  console.log(`${name.padEnd(34)} ${summary(times)}`);
}

function nearest(rows: readonly IndexRow[], vector: Float32Array, count: number): Set<bigint> {
  const scored = rows.map((row) => ({ key: row.chunkKey, score: dot(row.vector ?? vector, vector) }));
  return new Set(
    scored
      .toSorted((a, b) => b.score - a.score)
      .slice(0, count)
      .map((each) => each.key),
  );
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

const directory = await mkdtemp(join(tmpdir(), 'bench-index-'));
const source = new ArraySource();
const open = (): ResidentIndex =>
  new ResidentIndex(source, {
    maxBytes: 2 ** 34,
    maxWaitMs: 600_000,
    serves: true,
    pollMs: null,
    recent: null,
    onError: (error) => console.error(error),
    channel: new SplitChannel(new ThreadChannel(), new ThreadChannel()),
    snapshots: new Snapshots(directory, 2 ** 34),
  });
let index = open();
try {
  console.log(`${ROWS} rows, ${cpus().length} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`);
  const rows = Array.from({ length: ROWS }, (_, key) => makeRow(key));
  source.add(table, rows);
  const first = () => index.searchSparse(table, ['t1'], 1);
  console.log(`first search, loaded from the records: ${Math.round((await timed(first))[1])} ms`);
  console.log(`snapshot written: ${Math.round((await timed(() => index.settled()))[1])} ms`);
  await index.close();
  index = open();
  console.log(`first search, loaded from the snapshot: ${Math.round((await timed(first))[1])} ms`);

  const vectors = Array.from({ length: QUERIES }, clustered);
  const terms = Array.from({ length: QUERIES }, () => Array.from({ length: 4 }, term));
  const dense = (position: number, filter?: IndexFilter) =>
    index.searchDense(table, vectors[position] ?? new Float32Array(), 50, filter);
  const sparse = (position: number, filter?: IndexFilter) =>
    index.searchSparse(table, terms[position] ?? [], 50, filter);
  const documents = (count: number) => Array.from({ length: count }, (_, key) => BigInt(key));

  await measure('sparse top 50', (at) => sparse(at));
  await measure('dense top 50', (at) => dense(at));
  await measure('both at once', (at) => Promise.all([sparse(at), dense(at)]));
  for (const count of [10, 1000, 5000].filter((each) => each <= ROWS / ROWS_PER_DOCUMENT)) {
    await measure(`dense in ${count} documents`, (at) => dense(at, { includeDocuments: documents(count) }));
    await measure(`sparse in ${count} documents`, (at) => sparse(at, { includeDocuments: documents(count) }));
  }
  let found = 0;
  for (let position = 0; position < 50; position += 1) {
    const truth = nearest(rows, vectors[position] ?? new Float32Array(), 10);
    found += (await dense(position)).slice(0, 10).filter((hit) => truth.has(hit.chunkKey)).length;
  }
  console.log(`dense recall@10 ${(found / 500).toFixed(3)}`);
  const [, concurrentMs] = await timed(async () => {
    let next = 0;
    const client = async () => {
      while (next < 1000) {
        const position = next++ % QUERIES;
        await Promise.all([sparse(position), dense(position)]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
  });
  console.log(`8 clients, both legs: ${Math.round(1000 / (concurrentMs / 1000))} queries/s`);

  const small: number[] = [];
  for (let step = 0; step < 50; step += 1) {
    const batch = Array.from({ length: 40 }, (_, at) => makeRow(ROWS + step * 40 + at));
    small.push((await timed(() => index.add(table, batch)))[1]);
  }
  console.log(`add 40 rows per commit: ${summary(small)}`);
  const { bytes } = index.memoryStats;
  console.log(`memory of the table ${Math.round(bytes / 2 ** 20)} MB`);
  console.log(`resident ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB, with the rows themselves`);
} finally {
  await index.close();
  await rm(directory, { recursive: true, force: true });
}
