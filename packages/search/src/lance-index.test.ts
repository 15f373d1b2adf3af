// large: builds indexes on disk
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterAll, describe, expect, test } from 'vitest';
import { searchIndexConformance } from './conformance.ts';
import { LanceIndex } from './lance-index.ts';
import { IndexTableError, type IndexTable } from './search-index.ts';

const directory = await mkdtemp(join(tmpdir(), 'lance-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('conformance', () => {
  searchIndexConformance(() => LanceIndex.open({ uri: join(directory, 'conformance') }));
});

const table: IndexTable = { name: 'chunks', dimensions: null };
const row = (key: number) => ({ chunkKey: BigInt(key), documentKey: BigInt(key), revision: 1, terms: 'wing' });

/** Truncates the newest manifest, as a power cut can, since Lance does not fsync. */
async function damageManifest(uri: string) {
  const versions = join(uri, 'chunks.lance', '_versions');
  const [newest] = (await readdir(versions)).toSorted();
  await truncate(join(versions, newest!), 0);
}

test('reports a table that does not open, and accepts it again after a drop', async () => {
  const uri = join(directory, 'manifest');
  const writer = await LanceIndex.open({ uri });
  await writer.add(table, [row(1)]);
  await writer.close();
  await damageManifest(uri);

  const index = await LanceIndex.open({ uri });
  const broken = expect.objectContaining({ name: 'IndexTableError', table: 'chunks' });
  await expect(index.stats(table)).rejects.toEqual(broken);
  await expect(index.searchSparse(table, ['wing'], 1)).rejects.toEqual(broken);
  await expect(index.add(table, [row(2)])).rejects.toBeInstanceOf(IndexTableError);
  await index.drop(table);
  await index.add(table, [row(2)]);
  expect(await index.searchSparse(table, ['wing'], 9)).toMatchObject([{ chunkKey: 2n }]);
  await index.close();
});

test('reports a table whose files are missing', async () => {
  const uri = join(directory, 'files');
  const index = await LanceIndex.open({ uri });
  await index.add(table, [row(1)]);
  await index.close();
  await rm(join(uri, 'chunks.lance', 'data'), { recursive: true });
  await rm(join(uri, 'chunks.lance', '_indices'), { recursive: true });

  const reader = await LanceIndex.open({ uri });
  await expect(reader.searchSparse(table, ['wing'], 1)).rejects.toBeInstanceOf(IndexTableError);
  await reader.close();
});

test('a table keeps its identity, and a new table has another one', async () => {
  const uri = join(directory, 'identity');
  const [index, other] = [await LanceIndex.open({ uri }), await LanceIndex.open({ uri })];
  expect(await index.identity(table)).toBeUndefined();
  await index.add(table, [row(1)]);
  const [first, version] = [await other.identity(table), await other.version(table)];
  expect(first).toMatch(/^[0-9a-f-]{36}$/u);
  await index.add(table, [row(2)]);
  await index.optimize(table);
  expect(await other.identity(table)).toBe(first);

  await index.drop(table);
  await index.add(table, [row(1)]);
  expect(await other.version(table)).toBe(version);
  expect(await other.identity(table)).not.toBe(first);
  expect(await other.identity(table)).toBe(await index.identity(table));
  await index.close();
  await other.close();
});

test('does not create a table again that another process has created meanwhile', async () => {
  const uri = join(directory, 'made');
  const other = await LanceIndex.open({ uri });
  const index = await LanceIndex.open({
    uri,
    oneAtATime: async (_name, work) => {
      await other.add(table, [row(1)]);
      await work();
    },
  });
  await index.add(table, [row(2)]);
  const found = await other.searchSparse(table, ['wing'], 9);
  expect(new Set(found.map((hit) => hit.chunkKey))).toEqual(new Set([1n, 2n]));
  await index.close();
  await other.close();
});

test('works with more tables than may stay open', async () => {
  const index = await LanceIndex.open({ uri: join(directory, 'many'), openTables: 2 });
  const tables = Array.from({ length: 6 }, (_, number) => ({ name: `chunks_${number}`, dimensions: null }));
  await Promise.all(tables.map((each, number) => index.add(each, [row(number)])));
  const answers = await Promise.all([...tables, ...tables].map((each) => index.searchSparse(each, ['wing'], 1)));
  expect(answers.flat().map((hit) => hit.chunkKey)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 0n, 1n, 2n, 3n, 4n, 5n]);
  await index.close();
});

test('quantizes the vector index of large tables and keeps exact scores', async () => {
  const uri = join(directory, 'codes');
  const plain = await LanceIndex.open({ uri });
  const coded = await LanceIndex.open({ uri, codedRows: 12_000 });
  const wide: IndexTable = { name: 'wide', dimensions: 16 };
  const random = seededRandom(7);
  const rows = Array.from({ length: 12_000 }, (_, key) => ({ ...row(key), vector: unitVector(random, 16) }));
  await coded.add(wide, rows.slice(0, 11_000));
  await coded.optimize(wide);
  expect(await vectorIndexNames(uri)).toEqual(['vector_trained_11000']);
  await coded.add(wide, rows.slice(11_000));
  await coded.optimize(wide);
  expect(await vectorIndexNames(uri)).toEqual(['vector_coded_12000']);

  const query = unitVector(random, 16);
  const cosine = ({ vector }: { vector: Float32Array }) => vector.reduce((sum, x, at) => sum + x * query[at]!, 0);
  const best = rows.toSorted((a, b) => cosine(b) - cosine(a)).slice(0, 10);
  for (const index of [coded, plain]) {
    const hits = await index.searchDense(wide, query, 10);
    const found = best.filter(({ chunkKey }) => hits.some((hit) => hit.chunkKey === chunkKey));
    expect(found.length).toBeGreaterThanOrEqual(5);
    for (const hit of hits) expect(hit.score).toBeCloseTo(cosine(rows[Number(hit.chunkKey)]!), 5);
  }
  // A coded index is never replaced by a flat one.
  await plain.optimize(wide);
  expect(await vectorIndexNames(uri)).toEqual(['vector_coded_12000']);
  await plain.close();
  await coded.close();
});

async function vectorIndexNames(uri: string): Promise<string[]> {
  const connection = await connect(uri);
  const indexes = await (await connection.openTable('wide')).listIndices();
  connection.close();
  return indexes.map((index) => index.name).filter((name) => name.startsWith('vector'));
}

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647) / 2_147_483_647;
}

function unitVector(random: () => number, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
