import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { GraphileJobQueue } from '../../queue/graphile-queue.ts';
import { ArrayIndex } from '@quire/search/testing/array-index';
import { idleEmbedders } from '../../../test/idle-embedders.ts';
import type { IndexStats } from '@quire/search/search-index';
import { WorkspaceService } from '../workspaces/service.ts';
import { IndexCheck, IndexCheckHeld } from './index-check.ts';
import { CollectionService } from './service.ts';
import { indexTableName } from './types.ts';

let database: TestDatabase;
let check: IndexCheck;
let searchIndex: ArrayIndex;

beforeAll(async () => {
  database = await createTestDatabase();
  const queue = new GraphileJobQueue(database.db);
  searchIndex = new ArrayIndex();
  check = new IndexCheck({ database: database.db, queue, searchIndex });
});
afterAll(() => database.drop());

async function rebuilds(): Promise<number> {
  const { rows } = await database.pool.query<{ jobs: number }>(
    'select count(*)::int as jobs from graphile_worker.jobs',
  );
  return rows[0]?.jobs ?? 0;
}

test('does not queue a rebuild twice, except after its job used up its attempts', async () => {
  await check.rebuild('c1', 1);
  await check.rebuild('c1', 1);
  expect(await rebuilds()).toBe(1);
  await database.pool.query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody'");
  await check.rebuild('c1', 1);
  expect(await rebuilds()).toBe(1);
  await check.rebuild('c1', 2);
  expect(await rebuilds()).toBe(2);

  await database.pool.query(
    'update graphile_worker._private_jobs set locked_at = null, locked_by = null, attempts = max_attempts',
  );
  await check.rebuild('c1', 1);
  const { rows } = await database.pool.query('select from graphile_worker.jobs where attempts < max_attempts');
  expect(rows).toHaveLength(1);
});

test('drops tables without a record, except foreign ones and those that a rebuild is filling', async () => {
  const now = Date.now();
  const queue = new GraphileJobQueue(database.db);
  const workspace = await new WorkspaceService({ database: database.db, queue, onDeleted: () => undefined }).create(
    'w',
  );
  const collections = new CollectionService({ database: database.db, queue, embedders: idleEmbedders(database.db) });
  const { record } = await collections.create(workspace.id, { name: 'c' });
  const purged = `c_${'0'.repeat(32)}_1`;
  const names = [
    indexTableName(record.id, 1),
    purged,
    `${purged}_r${now - 90_000_000}`,
    `${purged}_r${now - 1000}`,
    'other',
  ];
  const row = { chunkKey: 1n, documentKey: 1n, revision: 1, terms: 'wing' };
  for (const name of names) await searchIndex.add({ name, dimensions: null }, [row]);
  expect(await check.dropOrphans(now)).toEqual([names[1], names[2]]);
  expect(await searchIndex.list()).toEqual([names[0], names[3], names[4]]);
});

/** An index that cannot be reached. */
class UnreachableIndex extends ArrayIndex {
  override stats(): Promise<IndexStats | undefined> {
    return Promise.reject(new Error('connection refused'));
  }
}

test('does not treat an unreachable index as an empty one', async () => {
  const queue = new GraphileJobQueue(database.db);
  const { rows } = await database.pool.query<{ id: string; workspace_id: string }>('select * from collections');
  const [collection] = rows;
  await database.pool.query(
    `insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, status,
       chunk_count, searchable_revision, content_id)
     values (gen_random_uuid(), $1, $2, 'a', 'txt', 'text/plain', 1, 'x', 'ready', 1, 1, gen_random_uuid())`,
    [collection!.workspace_id, collection!.id],
  );
  const before = await rebuilds();
  const unreachable = new IndexCheck({ database: database.db, queue, searchIndex: new UnreachableIndex() });
  await expect(unreachable.run()).rejects.toThrow('connection refused');
  expect(await rebuilds()).toBe(before);
});

test('queues no rebuild when too many collections of a shared index lack rows', async () => {
  const queue = new GraphileJobQueue(database.db);
  const deps = { database: database.db, queue, searchIndex: new ArrayIndex() };
  const before = await rebuilds();
  const held = new IndexCheck({ ...deps, maxLostShare: 0.05 });
  // One lost collection is always rebuilt, so that a second one is needed.
  await database.pool.query(`
    with copy as (insert into collections select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
      from collections c returning id)
    insert into collection_indexes select (jsonb_populate_record(i, jsonb_build_object('collection_id', copy.id,
      'table_name', 'c_' || replace(copy.id::text, '-', '') || '_1'))).* from collection_indexes i, copy`);
  await database.pool.query(`
    insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, status,
      chunk_count, searchable_revision, content_id)
    select gen_random_uuid(), workspace_id, c.id, 'a', 'txt', 'text/plain', 1, 'x', 'ready', 1, 1, gen_random_uuid()
    from collections c where not exists (select from documents d where d.collection_id = c.id)`);
  await expect(held.run()).rejects.toEqual(new IndexCheckHeld(2, 2));
  expect(await rebuilds()).toBe(before);
  expect(await new IndexCheck({ ...deps, maxLostShare: 1 }).run()).toHaveLength(2);
  expect(await rebuilds()).toBe(before + 2);
});

/** Small tables share storage. */
class SharedIndex extends ArrayIndex {
  readonly sharedRows = 10;
}

test('queues the move of tables that have outgrown shared storage, once', async () => {
  const queue = new GraphileJobQueue(database.db);
  const shared = new IndexCheck({ database: database.db, queue, searchIndex: new SharedIndex() });
  await database.pool.query('truncate graphile_worker._private_jobs');
  expect(await shared.moveGrown()).toEqual([]);
  await database.pool.query('update documents set chunk_count = 11');
  const { rows } = await database.pool.query<{ collection_id: string }>('select distinct collection_id from documents');
  const grown = rows.map((row) => row.collection_id);
  expect(await check.moveGrown()).toEqual([]);
  expect((await shared.moveGrown()).toSorted()).toEqual(grown.toSorted());
  await shared.moveGrown();
  expect(await rebuilds()).toBe(grown.length);
  await database.pool.query("update collection_indexes set table_name = table_name || '_own'");
  expect(await shared.moveGrown()).toEqual([]);
  await database.pool.query("update collection_indexes set table_name = replace(table_name, '_own', '')");
});
