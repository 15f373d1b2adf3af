/** Attempts, deletions and cut-overs that lock the same rows concurrently do not deadlock. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { sql, type Transaction } from 'kysely';
import pino from 'pino';
import type { Database, DocumentRecord } from '../src/database/tables.ts';
import { IndexBuilds, type IndexedChunk } from '../src/domain/collections/index-builds.ts';
import { IndexesChanged, type Attempt } from '../src/domain/documents/attempt.ts';
import { createBatch } from '../src/domain/documents/batches/batched-inserts.ts';
import { DocumentRepository } from '../src/domain/documents/repository.ts';
import { tableOf } from '../src/ingestion/reindex.ts';
import { ArrayIndex } from '@quire/search/testing/array-index';
import { IndexWriter } from '@quire/search/index-writer';
import type { IndexTable, SearchIndex } from '@quire/search/search-index';
import { rebuildIndex } from '../src/workers/rebuild-index.ts';
import type { JobEnd } from '../src/queue/job-queue.ts';
import { newRecord, onBatchFailed, openDocumentServices } from './document-services.ts';

const ready = (...counts: readonly number[]) => ({
  language: 'en',
  title: null,
  pageCount: null,
  warnings: [],
  chunkCounts: new Map(counts.map((count, at) => [at + 1, count])),
});

const services = await openDocumentServices();
const { database, queue, collections, ingestion, ws } = services;
const builds = new IndexBuilds({ database: database.db, queue, onBatchFailed });
afterAll(() => services.close());

const collection = async (): Promise<string> => (await collections.create(ws, { name: 'c' })).record.id;

async function create(collectionId: string): Promise<DocumentRecord> {
  const upload = newRecord(ws, collectionId);
  await createBatch({ database: database.db, queue, backlogs: services.newBacklogs() }, [upload]);
  return find(upload.id);
}

const find = (id: string) =>
  database.db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const claim = async ({ id, revision }: DocumentRecord): Promise<Attempt> => (await ingestion.claim(ws, id, revision))!;

/** Locks the row of a document. Fails at once if another transaction holds the lock. */
const lock = (transaction: Transaction<Database>, { id }: DocumentRecord) =>
  sql`select from documents where id = ${id} for update nowait`.execute(transaction);

/** Resolves when a session waits for a lock. */
async function waiting(): Promise<void> {
  const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await database.pool.query(waits)).rowCount === 0);
}

const cutOver = (collectionId: string) =>
  database.db.transaction().execute(async (transaction) => {
    await sql`update collection_indexes set status = case generation when 2 then 'live' else 'retired' end
      where collection_id = ${collectionId}`.execute(transaction);
    await sql`update collections set live_generation = 2 where id = ${collectionId}`.execute(transaction);
  });

/** Rebuilds an index in a collection where no document needs new chunks. */
function rebuild(searchIndex: SearchIndex, collectionId: string, generation: number): Promise<JobEnd> {
  const handler = rebuildIndex({
    builds,
    searchIndex,
    writer: new IndexWriter(searchIndex, { requestOptimize: async () => true, onError: onBatchFailed }),
    embedderFor: async () => null,
    knownEmbeddings: async () => new Map(),
    logger: pino({ level: 'silent' }),
    store: {} as never,
    sandbox: {} as never,
  });
  const context = { signal: new AbortController().signal, attempt: 1, maxAttempts: 1, job: null } as never;
  return handler({ collectionId, generation }, context);
}

test('a document that a cut-over overtakes has the count of the index that searches see now', async () => {
  const collectionId = await collection();
  await collections.reindex(ws, collectionId);
  // The first document ends in a batch, the second alone, because it was searchable before.
  const [first, second] = [await create(collectionId), await create(collectionId)];
  await database.pool.query('update documents set searchable_revision = 1, revision = 2 where id = $1', [second.id]);
  const attempts = [await claim(first), await claim({ ...second, revision: 2 })];
  await cutOver(collectionId);
  for (const attempt of attempts) await ingestion.succeed(attempt, ready(1, 5));
  expect(await find(first.id)).toMatchObject({ status: 'ready', searchable_revision: 1, chunk_count: 5 });
  expect(await find(second.id)).toMatchObject({ status: 'ready', searchable_revision: 2, chunk_count: 5 });
});

test('rows that a document has written to a pending index are in it once it is built', async () => {
  const collectionId = await collection();
  await collections.reindex(ws, collectionId);
  const attempt = await claim(await create(collectionId));
  const searchIndex = new ArrayIndex();
  const [first, second] = attempt.indexes.map(tableOf) as [IndexTable, IndexTable];
  const row = { chunkKey: 1n, documentKey: BigInt(attempt.document.key), revision: 1, terms: 'wing' };
  for (const table of [first, second]) await searchIndex.add(table, [row]);
  await rebuild(searchIndex, collectionId, 2);
  await ingestion.succeed(attempt, ready(1, 1));
  expect((await builds.find(collectionId, 2))?.index).toMatchObject({ status: 'live', table_name: second.name });
  expect(await searchIndex.searchSparse(second, ['wing'], 5)).toMatchObject([{ chunkKey: 1n }]);
});

test('a document whose rows were in a restarted table is indexed again', async () => {
  const collectionId = await collection();
  await collections.reindex(ws, collectionId);
  const document = await create(collectionId);
  const before = await claim(document);
  const build = (await builds.find(collectionId, 2))!;
  const renewed = await builds.renewTable(build);
  expect(renewed.index.table_name).toMatch(new RegExp(`^${build.index.table_name}_r\\d+$`, 'u'));
  expect((await builds.find(collectionId, 2))?.index).toEqual(renewed.index);
  await expect(ingestion.succeed(before, ready(1, 1))).rejects.toThrowError(IndexesChanged);
  await ingestion.succeed(await claim(document), ready(1, 1));
});

test('a member of an archive that ends waits for the lock of the archive without deadlock', async () => {
  const collectionId = await collection();
  const [archive, member] = [await create(collectionId), await create(collectionId)];
  await database.pool.query('update documents set parent_id = $1 where id = $2', [archive.id, member.id]);
  const attempt = await claim(member);
  let ending: Promise<JobEnd> | undefined;
  await database.db.transaction().execute(async (transaction) => {
    await lock(transaction, archive);
    ending = ingestion.succeed(attempt, ready(1));
    await waiting();
    await lock(transaction, member);
  });
  await ending;
  expect((await find(member.id)).status).toBe('ready');
});

test('a collection is purged while one of its documents is being written, without a deadlock', async () => {
  const collectionId = await collection();
  const document = await create(collectionId);
  let purging: Promise<unknown> | undefined;
  await database.db.transaction().execute(async (transaction) => {
    // Locks like an attempt: the document first, then its collection.
    await lock(transaction, document);
    purging = collections.remove(ws, collectionId, true);
    await waiting();
    await sql`select from collections where id = ${collectionId} for key share`.execute(transaction);
  });
  await purging;
  expect(await database.db.selectFrom('documents').select('id').where('id', '=', document.id).execute()).toEqual([]);
});

test('documents that are deleted together are locked in the order of their keys', async () => {
  const collectionId = await collection();
  const [first, second] = [await create(collectionId), await create(collectionId)];
  // Its name now sorts after that of the second document.
  await database.pool.query("update documents set name = 'b.txt' where id = $1", [first.id]);
  let hiding: Promise<{ id: string }[]> | undefined;
  await database.db.transaction().execute(async (transaction) => {
    await lock(transaction, first);
    hiding = new DocumentRepository(database.db).markDeleted(ws, collectionId, (eb) =>
      eb('documents.format', '=', 'txt'),
    );
    await waiting();
    await lock(transaction, second);
  });
  expect(new Set((await hiding)?.map(({ id }) => id))).toEqual(new Set([first.id, second.id]));
});

test('what becomes searchable after a table is begun to be filled is added to it, whenever that began', async () => {
  const collectionId = await collection();
  const document = await create(collectionId);
  const attempt = await claim(document);
  const build = (await builds.find(collectionId, 1))!;
  await ingestion.storeChunks(attempt, 1, [passageOf(document)]);
  let ending: Promise<JobEnd> | undefined;
  const startedAt = await database.db.transaction().execute(async (transaction) => {
    await lock(transaction, document);
    ending = ingestion.succeed(attempt, ready(1));
    await waiting();
    return builds.beginRefill(build);
  });
  await ending;
  const late: IndexedChunk[] = [];
  await builds.swapTable(build, 'other_table', startedAt, async (chunks) => void late.push(...chunks));
  expect(late).toMatchObject([{ document_key: document.key, terms: 'wing' }]);
  expect((await builds.find(collectionId, 1))?.index.table_name).toBe('other_table');
  const later = await builds.beginRefill(build);
  await builds.swapTable(build, 'third_table', later, async () => expect.fail('It was there to be read'));
});

/** Erases a document after the new table was filled and before it serves searches. */
class ErasingIndex extends ArrayIndex {
  readonly #erase: () => Promise<unknown>;

  constructor(erase: () => Promise<unknown>) {
    super();
    this.#erase = erase;
  }

  override async optimize(): Promise<void> {
    await this.#erase();
  }
}

async function searchable(collectionId: string): Promise<DocumentRecord> {
  const document = await create(collectionId);
  const attempt = await claim(document);
  await ingestion.storeChunks(attempt, 1, [passageOf(document)]);
  await ingestion.succeed(attempt, ready(1));
  return document;
}

test('a document that is erased while a table is rebuilt is not in it', async () => {
  const collectionId = await collection();
  const [kept, gone] = [await searchable(collectionId), await searchable(collectionId)];
  const index = new ErasingIndex(() => database.pool.query('delete from documents where id = $1', [gone.id]));
  await rebuild(index, collectionId, 1);
  const table = tableOf((await builds.find(collectionId, 1))!.index);
  expect(await index.list()).toEqual([table.name]);
  const hits = await index.searchSparse(table, ['wing'], 5);
  expect(hits.map((hit) => String(hit.documentKey))).toEqual([kept.key]);
});

test('a table that was filled for a collection that is erased meanwhile, or could not be filled, is dropped', async () => {
  const collectionId = await collection();
  await searchable(collectionId);
  const failing = new ErasingIndex(() => Promise.reject(new Error('no')));
  await expect(rebuild(failing, collectionId, 1)).rejects.toThrowError('no');
  expect(await failing.list()).toEqual([]);
  const erasing = new ErasingIndex(() => database.pool.query('delete from collections where id = $1', [collectionId]));
  await rebuild(erasing, collectionId, 1);
  expect(await erasing.list()).toEqual([]);
});

function passageOf(document: DocumentRecord) {
  return {
    workspace_id: ws,
    collection_id: document.collection_id,
    document_id: document.id,
    revision: 1,
    generation: 1,
    ordinal: 0,
    id: randomUUID(),
    text: 'wing',
    headings: [],
    block_ids: [],
    boxes: '[]',
    token_count: 1,
    content_hash: Buffer.alloc(32),
    terms: 'wing',
    embedding: null,
  };
}
