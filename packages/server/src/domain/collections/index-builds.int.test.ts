import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idleEmbedders } from '../../../test/idle-embedders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { GraphileJobQueue } from '../../queue/graphile-queue.ts';
import { WorkspaceService } from '../workspaces/service.ts';
import { lacksChunks, recordComplete } from './cut-over.ts';
import { IndexBuilds, type IndexBuild } from './index-builds.ts';
import { CollectionService } from './service.ts';

let database: TestDatabase;
let builds: IndexBuilds;
let collections: CollectionService;
let ws: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const queue = new GraphileJobQueue(db);
  collections = new CollectionService({ database: db, queue, embedders: idleEmbedders(db) });
  builds = new IndexBuilds({ database: db, queue, onBatchFailed: () => undefined });
  ws = (await new WorkspaceService({ database: db, queue, onDeleted: () => undefined }).create('w')).id;
});
afterAll(() => database.drop());

/** Creates a collection with documents of one chunk each, and a second generation without any of them. */
async function begin(documents: number): Promise<{ build: IndexBuild; documentIds: string[] }> {
  const { id } = (await collections.create(ws, { name: 'c' })).record;
  await database.pool.query(
    `insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, status,
       searchable_revision, content_id, chunk_count)
     select gen_random_uuid(), $1, $2, 'a.txt', 'txt', 'text/plain', 4, '', 'ready', 1, gen_random_uuid(), 1
     from generate_series(1, $3)`,
    [ws, id, documents],
  );
  await database.pool.query(
    `insert into collection_indexes (collection_id, generation, workspace_id, status, table_name, recipe)
     select collection_id, 2, workspace_id, 'building', table_name || '_2', recipe from collection_indexes
     where collection_id = $1`,
    [id],
  );
  const build = await builds.find(id, 2);
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from documents where collection_id = $1 order by key',
    [id],
  );
  return { build: build!, documentIds: rows.map((row) => row.id) };
}

async function addChunks(documentId: string, chunks: number): Promise<void> {
  await database.pool.query(
    `insert into chunks (workspace_id, collection_id, document_id, revision, generation, ordinal, id, text, headings,
       block_ids, boxes, token_count, content_hash, terms)
     select workspace_id, collection_id, id, 1, 2, n, $3, 'a', '{}', '{}', '[]', 1, '', 'a'
     from documents, generate_series(1, $2) n where id = $1`,
    [documentId, chunks, randomUUID()],
  );
}

async function state({ collection }: IndexBuild): Promise<{ live: number; counts: number[] }> {
  const { rows } = await database.pool.query<{ live: number; counts: number[] }>(
    `select live_generation as live,
       (select array_agg(chunk_count order by key) from documents where collection_id = collections.id) as counts
     from collections where id = $1`,
    [collection.id],
  );
  return rows[0]!;
}

test('cuts over when no document is missing, and counts the chunks of the new generation', async () => {
  const { build, documentIds } = await begin(3);
  const [first, second, third] = documentIds as [string, string, string];
  await addChunks(first, 2);
  await addChunks(second, 1);
  expect(await builds.cutOver(build)).toBe(false);
  expect(await state(build)).toEqual({ live: 1, counts: [1, 1, 1] });
  await addChunks(third, 5);
  expect(await builds.cutOver(build)).toBe(true);
  expect(await state(build)).toEqual({ live: 2, counts: [2, 1, 5] });
});

test('checks documents under the lock that become searchable during the first check', async () => {
  const { build, documentIds } = await begin(2);
  for (const id of documentIds) await addChunks(id, 1);
  const { id } = build.collection;
  await database.db.transaction().execute(async (transaction) => {
    await recordComplete(transaction, id, 2);
    expect(await lacksChunks(transaction, id, 2)).toBe(false);
    await database.pool.query('update documents set searchable_revision = 2 where id = $1', [documentIds[0]]);
    expect(await lacksChunks(transaction, id, 2)).toBe(true);
    await database.pool.query('update chunks set revision = 2 where document_id = $1', [documentIds[0]]);
    expect(await lacksChunks(transaction, id, 2)).toBe(false);
  });
});

test('completes the counts after a crash for the live generation only', async () => {
  const { build, documentIds } = await begin(1);
  await addChunks(documentIds[0]!, 3);
  const isFinished = async (): Promise<boolean> =>
    (await builds.find(build.collection.id, 2))!.index.finished_at !== null;
  await builds.finishCounts(build);
  expect([await state(build), await isFinished()]).toEqual([{ live: 1, counts: [1] }, false]);
  await database.pool.query(
    `update collection_indexes set status = case generation when 2 then 'live' else 'retired' end where collection_id = $1`,
    [build.collection.id],
  );
  await database.pool.query('update collections set live_generation = 2 where id = $1', [build.collection.id]);
  await builds.finishCounts(build);
  expect([await state(build), await isFinished()]).toEqual([{ live: 2, counts: [3] }, true]);
});

test('ends a cancelled build although documents are missing', async () => {
  const { build } = await begin(1);
  await database.pool.query(
    `update collection_indexes set status = 'cancelled' where collection_id = $1 and generation = 2`,
    [build.collection.id],
  );
  expect(await builds.cutOver(build)).toBe(true);
  expect(await state(build)).toEqual({ live: 1, counts: [1] });
});

test('counts documents while others are locked, and waits for those without holding a lock', async () => {
  const { build, documentIds } = await begin(3);
  for (const id of documentIds) await addChunks(id, 2);
  const countsOf = async (): Promise<number[]> => (await state(build)).counts;
  let finishing: Promise<boolean> | undefined;
  await database.db.transaction().execute(async (transaction) => {
    const lock = (id: string | undefined) =>
      transaction.selectFrom('documents').select('id').where('id', '=', id!).forUpdate().execute();
    await lock(documentIds[2]);
    finishing = builds.cutOver(build);
    while ((await countsOf()).join() !== '2,2,1');
    await lock(documentIds[0]);
  });
  expect(await finishing).toBe(true);
  expect(await countsOf()).toEqual([2, 2, 2]);
});
