import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Cuts the newest manifest to nothing, as a power cut can: Lance does not fsync. */
async function damageManifest(uri: string) {
  const versions = join(uri, 'chunks.lance', '_versions');
  const [newest] = (await readdir(versions)).toSorted();
  await truncate(join(versions, newest!), 0);
}

test('names a table that does not open, and takes it again after a drop', async () => {
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

test('names a table whose files are gone', async () => {
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

test('keeps working over more tables than may stay open', async () => {
  const index = await LanceIndex.open({ uri: join(directory, 'many'), openTables: 2 });
  const tables = Array.from({ length: 6 }, (_, number) => ({ name: `chunks_${number}`, dimensions: null }));
  await Promise.all(tables.map((each, number) => index.add(each, [row(number)])));
  const answers = await Promise.all([...tables, ...tables].map((each) => index.searchSparse(each, ['wing'], 1)));
  expect(answers.flat().map((hit) => hit.chunkKey)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 0n, 1n, 2n, 3n, 4n, 5n]);
  await index.close();
});
