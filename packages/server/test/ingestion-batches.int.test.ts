/** Uploads and attempts that share a transaction, on a real database: each is fenced as if it had its own. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { insertChunks } from '../src/database/chunks/insert-chunks.ts';
import type { NewChunk } from '../src/database/tables.ts';
import type { Attempt } from '../src/domain/documents/attempt.ts';
import { writeChunkBatch } from '../src/domain/documents/batches/batched-chunk-writes.ts';
import { claimBatch } from '../src/domain/documents/batches/batched-claims.ts';
import { createBatch, type NewRecord } from '../src/domain/documents/batches/batched-inserts.ts';
import { isBatchable, succeedBatch } from '../src/domain/documents/batches/batched-successes.ts';
import { DEADLINE_MS, newRecord, openDocumentServices } from './document-services.ts';

const READY = { language: 'en', title: null, pageCount: null, warnings: [], chunkCounts: new Map([[1, 1]]) };

const services = await openDocumentServices();
const { database, notifications, queue, collections, workspaces, ingestion, ws, col } = services;
afterAll(() => services.close());

const upload = (collectionId = col, workspaceId = ws): NewRecord =>
  newRecord(workspaceId, collectionId, { tag: ['a"b', 'c'] });

const create = (uploads: NewRecord[]) =>
  createBatch({ database: database.db, queue, backlogs: services.newBacklogs() }, uploads);

async function attempts(count: number, collectionId = col): Promise<Attempt[]> {
  const records = await create(Array.from({ length: count }, () => upload(collectionId)));
  const claims = records.map((record) => ({ workspaceId: ws, documentId: record!.id, revision: 1, job: null }));
  return (await claimBatch(database.db, claims, DEADLINE_MS, 'skip')).map((claimed) => claimed!);
}

const find = (id: string) =>
  database.db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const chunkOf = ({ document }: Attempt, ordinal: number, text: string): NewChunk => ({
  workspace_id: ws,
  collection_id: document.collection_id,
  document_id: document.id,
  revision: 1,
  generation: 1,
  ordinal,
  id: randomUUID(),
  text,
  headings: ['He said "hi" \\ {there}', 'NULL', ''],
  block_ids: [],
  boxes: JSON.stringify([{ page: 1, bbox: [0, 0, 1, 1] }]),
  token_count: 1,
  content_hash: Buffer.from('00ff5c22', 'hex'),
  terms: 'a b',
  embedding: ordinal === 0 ? null : Buffer.from([0, 255, 92]),
});

/** Runs `work` while another transaction holds the lock on a row. */
async function whileLocked<T>(table: 'documents' | 'collections', id: string, work: () => Promise<T>): Promise<T> {
  return database.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute();
    return work();
  });
}

test('each upload of a batch gets its record and its job, in the order of the backlog', async () => {
  const other = (await workspaces.create('other')).id;
  const otherCol = (await collections.create(other, { name: 'c' })).record.id;
  const first = (await workspaces.create('first')).id;
  const firstCol = (await collections.create(first, { name: 'c' })).record.id;
  const uploads = [upload(firstCol, first), upload(otherCol, other), upload(firstCol, first), upload(firstCol, first)];
  const records = await create(uploads);
  expect(records.map((record) => record?.id)).toEqual(uploads.map(({ id }) => id));
  expect(records[0]).toMatchObject({
    status: 'indexing',
    stage: 'queued',
    revision: 1,
    metadata: { tag: ['a"b', 'c'] },
  });
  const { rows } = await database.pool.query(
    'select key, priority, max_attempts from graphile_worker.jobs where key = any($1) order by id',
    [uploads.map(({ id }) => `ingest:${id}`)],
  );
  expect(rows).toEqual([
    { key: `ingest:${uploads[0]!.id}`, priority: 1, max_attempts: 25 },
    { key: `ingest:${uploads[1]!.id}`, priority: 1, max_attempts: 25 },
    { key: `ingest:${uploads[2]!.id}`, priority: 2, max_attempts: 25 },
    { key: `ingest:${uploads[3]!.id}`, priority: 3, max_attempts: 25 },
  ]);
});

test('an insert stores every column that a new document sets, and refuses the others when it is compiled', async () => {
  const [parent] = await create([upload()]);
  const member: NewRecord = {
    ...upload(),
    parent_id: parent!.id,
    status: 'failed',
    stage: null,
    error_type: 'corrupt',
    error_message: 'The file is damaged',
  };
  const [inserted] = await create([member]);
  expect(inserted).toMatchObject({ ...member, size_bytes: '4', metadata: { tag: ['a"b', 'c'] } });
  // @ts-expect-error the database sets the revision of a new document
  const refused: NewRecord = { ...upload(), revision: 2 };
  expect(refused.revision).toBe(2);
});

test('an upload into a deleted collection, or one of another workspace, is left out of its batch', async () => {
  const gone = (await collections.create(ws, { name: 'gone' })).record.id;
  await database.db.updateTable('collections').set({ deleted_at: new Date() }).where('id', '=', gone).execute();
  const stranger = (await workspaces.create('stranger')).id;
  const records = await create([upload(gone), upload(), upload(col, stranger)]);
  expect(records.map((record) => record !== undefined)).toEqual([false, true, false]);
});

test('a backlog is counted again after 250 ms, and own additions count at once', async () => {
  let now = 0;
  const workspace = (await workspaces.create('backlog')).id;
  const collection = (await collections.create(workspace, { name: 'c' })).record.id;
  const backlogs = services.newBacklogs(() => now);
  expect(await backlogs.add(workspace, 3)).toBe(0);
  expect(await backlogs.add(workspace, 2)).toBe(3);
  await create([upload(collection, workspace)]);
  now = 1000;
  expect(await backlogs.add(workspace, 1)).toBe(1);
});

test('the commit of chunks waits for the disk also on a connection with synchronous_commit off', async () => {
  const [attempt] = await attempts(1);
  const settings = await database.db.transaction().execute(async (transaction) => {
    const setting = async () =>
      (await sql<{ value: string }>`select current_setting('synchronous_commit') as value`.execute(transaction))
        .rows[0];
    await sql`select set_config('synchronous_commit', 'off', true)`.execute(transaction);
    const before = await setting();
    await insertChunks(transaction, [chunkOf(attempt!, 0, 'a'), chunkOf(attempt!, 1, 'b')]);
    return [before?.value, (await setting())?.value];
  });
  expect(settings).toEqual(['off', 'on']);
});

test('a batch claims documents to ingest and leaves out others and locked ones', async () => {
  const [held, free, replaced, hidden] = await create([upload(), upload(), upload(), upload()]);
  await database.db.updateTable('documents').set({ revision: 2 }).where('id', '=', replaced!.id).execute();
  await database.db.updateTable('documents').set({ deleted_at: new Date() }).where('id', '=', hidden!.id).execute();
  const claims = [held, free, replaced, hidden].map((record) => ({
    workspaceId: ws,
    documentId: record!.id,
    revision: 1,
    job: null,
  }));
  const stranger = { workspaceId: randomUUID(), documentId: held!.id, revision: 1, job: null };
  const claimed = await whileLocked('documents', held!.id, () =>
    claimBatch(database.db, [...claims, stranger], DEADLINE_MS, 'skip'),
  );
  expect(claimed.map((attempt) => attempt?.document.id)).toEqual([
    undefined,
    free!.id,
    undefined,
    undefined,
    undefined,
  ]);
  expect(claimed[1]).toMatchObject({ collection: { id: col }, indexes: [{ generation: 1, status: 'live' }] });
  expect(await find(free!.id)).toMatchObject({ attempts: 1, attempt_token: claimed[1]!.token });
  expect(await find(held!.id)).toMatchObject({ attempts: 0, attempt_token: null });
});

test('a batch of chunk writes replaces the chunks of an earlier attempt and keeps their content', async () => {
  const [first, late, second] = await attempts(3);
  await writeChunkBatch(
    database.db,
    [{ attempt: first!, generation: 1, chunks: [chunkOf(first!, 0, 'of before')] }],
    'skip',
  );
  const [current] = await claimBatch(
    database.db,
    [{ workspaceId: ws, documentId: late!.document.id, revision: 1, job: null }],
    DEADLINE_MS,
    'skip',
  );
  const groups = [first!, late!, second!, current!].map((attempt) => ({
    attempt,
    generation: 1,
    chunks: [chunkOf(attempt, 0, 'one, "two"\n\\n'), chunkOf(attempt, 1, '{NULL}')],
  }));
  const keys = await writeChunkBatch(database.db, groups, 'skip');
  expect(keys.map((each) => each?.length)).toEqual([2, undefined, 2, 2]);
  for (const place of [0, 2, 3]) {
    const rows = await database.db
      .selectFrom('chunks')
      .selectAll()
      .where('document_id', '=', groups[place]!.attempt.document.id)
      .orderBy('ordinal')
      .execute();
    expect(rows.map((row) => BigInt(row.key))).toEqual(keys[place]);
    const stored = groups[place]!.chunks.map((chunk) => ({ ...chunk, boxes: JSON.parse(chunk.boxes) as unknown }));
    expect(rows).toMatchObject(stored);
  }
});

test('each document of a batch of successes gets an event and a notification; a superseded attempt gets none', async () => {
  const [done, late, replaced, child] = await attempts(4);
  const { document } = late!;
  await claimBatch(
    database.db,
    [{ workspaceId: ws, documentId: document.id, revision: 1, job: null }],
    DEADLINE_MS,
    'skip',
  );
  replaced!.document.searchable_revision = 1;
  child!.document.parent_id = done!.document.id;
  const topics: string[] = [];
  notifications.subscribe(`document:${done!.document.id}`, () => topics.push('document'));
  notifications.subscribe('events', () => topics.push('events'));
  const successes = [done!, late!, replaced!, child!].map((attempt) => ({ attempt, ready: READY }));
  expect(successes.map(isBatchable)).toEqual([true, true, false, false]);
  const deps = { database: database.db, queue, notifications };
  expect(await succeedBatch(deps, successes.slice(0, 2), 'skip')).toEqual(['done', 'superseded']);
  expect(await find(done!.document.id)).toMatchObject({
    status: 'ready',
    language: 'en',
    chunk_count: 1,
    searchable_revision: 1,
    searchable_content_id: done!.document.content_id,
    attempt_token: null,
    deadline_at: null,
  });
  const events = await database.db
    .selectFrom('events')
    .select(['type', 'data'])
    .where((eb) => eb(eb.ref('data', '->>').key('documentId' as never), '=', done!.document.id as never))
    .execute();
  expect(events).toEqual([
    {
      type: 'document.ready',
      data: {
        documentId: done!.document.id,
        collectionId: col,
        name: 'a.txt',
        revision: 1,
        status: 'ready',
        error: null,
        warnings: [],
      },
    },
  ]);
  await expect.poll(() => topics.toSorted()).toEqual(['document', 'events']);
});

test('a batch ends no document of a collection that is locked for a cut-over or has a new index', async () => {
  const busy = (await collections.create(ws, { name: 'busy' })).record.id;
  const grown = (await collections.create(ws, { name: 'grown' })).record.id;
  const [[locked], [outdated], [free]] = await Promise.all([attempts(1, busy), attempts(1, grown), attempts(1)]);
  await collections.reindex(ws, grown);
  const group = [locked!, outdated!, free!].map((attempt) => ({ attempt, ready: READY }));
  const deps = { database: database.db, queue, notifications };
  const outcomes = await whileLocked('collections', busy, () => succeedBatch(deps, group, 'skip'));
  expect(outcomes).toEqual(['superseded', 'indexes-changed', 'done']);
});

test('concurrent attempts end as they would one by one', async () => {
  const records = await create(Array.from({ length: 40 }, () => upload()));
  await Promise.all(
    records.map(async (record, place) => {
      const attempt = (await ingestion.claim(ws, record!.id, 1))!;
      if (place % 4 === 3) return ingestion.fail(attempt, 'corrupt', 'no good');
      await ingestion.storeChunks(attempt, 1, [chunkOf(attempt, 0, `text ${place}`)]);
      return ingestion.succeed(attempt, READY);
    }),
  );
  const states = await Promise.all(records.map(async (record) => (await find(record!.id)).status));
  expect(states).toEqual(records.map((_, place) => (place % 4 === 3 ? 'failed' : 'ready')));
});
