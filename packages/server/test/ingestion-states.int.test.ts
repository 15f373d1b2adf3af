// large: starts and kills whole services
/**
 * The states of a document while it is processed, on a real database, without a worker: each test plays the workers.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { DocumentRecord } from '../src/database/tables.ts';
import { ArchiveIngestion, type UnpackedMember } from '../src/domain/documents/archive-ingestion.ts';
import { AttemptSuperseded, IndexesChanged } from '../src/domain/documents/attempt.ts';
import { DocumentReaper } from '../src/domain/documents/reaper.ts';
import { DocumentRemoval } from '../src/domain/documents/removal.ts';
import { DocumentService } from '../src/domain/documents/service.ts';
import { FilesystemStore } from '../src/storage/filesystem-store.ts';
import { DEADLINE_MS, onBatchFailed, openDocumentServices } from './document-services.ts';

const READY = { language: 'en', title: null, pageCount: null, warnings: [], chunkCounts: new Map([[1, 1]]) };

const services = await openDocumentServices();
const { database, notifications, queue, collections, ingestion, ws, col } = services;
const { db } = database;
const directory = await mkdtemp(path.join(tmpdir(), 'quire-states-'));
const store = await FilesystemStore.open(path.join(directory, 'store'));
const archives = new ArchiveIngestion({ database: db, queue, notifications, store });
const reaper = new DocumentReaper({ database: db, queue, notifications, ingestion, deadlineMs: DEADLINE_MS });
const removal = new DocumentRemoval({ database: db, queue, notifications });
const documents = new DocumentService({
  database: db,
  queue,
  store,
  notifications,
  inspectUpload: ({ name }) =>
    Promise.resolve(
      name.endsWith('.zip')
        ? { format: 'zip', contentType: 'application/zip', isArchive: true }
        : { format: 'txt', contentType: 'text/plain', isArchive: false },
    ),
  onBatchFailed,
});
afterAll(async () => {
  await services.close();
  await rm(directory, { recursive: true, force: true });
});

async function upload(name: string, content: string) {
  const file = path.join(directory, randomUUID());
  await writeFile(file, content);
  return { path: file, name, contentType: null, sizeBytes: content.length, sha256: randomUUID() };
}

async function create(name = 'a.txt'): Promise<DocumentRecord> {
  return (await documents.create(ws, col, { upload: await upload(name, 'text'), duplicates: 'allow' })).record;
}

const find = async (id: string): Promise<DocumentRecord> => (await documents.findById(ws, id))!;
const claim = async (document: DocumentRecord) =>
  (await ingestion.claim(ws, document.id, (await find(document.id)).revision))!;
const job = async (id: string) => (await queue.states([`ingest:${id}`])).get(`ingest:${id}`);
const forgetJob = (id: string) =>
  database.pool.query('delete from graphile_worker._private_jobs where key = $1', [`ingest:${id}`]);
const lockJob = (id: string) =>
  database.pool.query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'x' where key = $1", [
    `ingest:${id}`,
  ]);

test('an attempt that another one overtook can store, finish or fail nothing', async () => {
  const document = await create();
  const late = await claim(document);
  const current = await claim(document);
  await expect(ingestion.storeChunks(late, 1, [])).rejects.toThrowError(AttemptSuperseded);
  await expect(ingestion.succeed(late, READY)).rejects.toThrowError(AttemptSuperseded);
  await expect(ingestion.fail(late, 'timeout', 'late')).rejects.toThrowError(AttemptSuperseded);
  expect(await ingestion.progress(late, 'parsing', 0.5)).toBe(false);
  await ingestion.release(late);
  expect((await find(document.id)).attempt_token).toBe(current.token);
  await ingestion.succeed(current, READY);
  expect(await find(document.id)).toMatchObject({ status: 'ready', searchable_revision: 1, attempt_token: null });
  expect(await ingestion.claim(ws, document.id, 1)).toBeUndefined();
});

test('new content overtakes the attempt at the old one, which stays searchable when the new one fails', async () => {
  const document = await create();
  await ingestion.succeed(await claim(document), READY);
  await documents.replace(ws, document.id, { upload: await upload('b.txt', 'new') });
  const second = await claim(document);
  await documents.replace(ws, document.id, { upload: await upload('c.txt', 'newer') });
  await expect(ingestion.succeed(second, READY)).rejects.toThrowError(AttemptSuperseded);
  await ingestion.fail(await claim(document), 'corrupt', 'no good');
  expect(await find(document.id)).toMatchObject({
    status: 'failed',
    error_type: 'corrupt',
    revision: 3,
    searchable_revision: 1,
    searchable_content_id: document.content_id,
  });
  expect((await documents.retry(ws, document.id)).status).toBe('indexing');
  await expect(documents.retry(ws, document.id)).rejects.toMatchObject({ status: 409 });
});

test('a deletion takes the document from its worker, undeleting queues it again', async () => {
  const document = await create();
  const attempt = await claim(document);
  await forgetJob(document.id);
  await removal.remove(ws, col, document.id, false);
  await expect(ingestion.succeed(attempt, READY)).rejects.toThrowError(AttemptSuperseded);
  expect(await ingestion.claim(ws, document.id, 1)).toBeUndefined();
  expect((await removal.undelete(ws, document.id)).status).toBe('indexing');
  expect(await job(document.id)).toBe('waiting');
});

test('an index that appears while a document is processed sends it round again', async () => {
  const other = (await collections.create(ws, { name: 'other' })).record.id;
  const { record } = await documents.create(ws, other, { upload: await upload('a.txt', 'text'), duplicates: 'allow' });
  const before = await claim(record);
  await collections.reindex(ws, other);
  await expect(ingestion.succeed(before, READY)).rejects.toThrowError(IndexesChanged);
  const after = await claim(record);
  expect(after.indexes.map((index) => [index.generation, index.status])).toEqual([
    [1, 'live'],
    [2, 'building'],
  ]);
  await ingestion.succeed(after, READY);
});

test('the end of a document is recorded as an event in the same transaction', async () => {
  const document = await create();
  await ingestion.fail(await claim(document), 'no_text', 'nothing in it');
  const events = await database.db
    .selectFrom('events')
    .select(['type', 'data'])
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  expect(events).toEqual([
    {
      type: 'document.failed',
      data: {
        documentId: document.id,
        collectionId: col,
        name: 'a.txt',
        revision: 1,
        status: 'failed',
        error: { type: 'no_text', message: 'nothing in it' },
        warnings: [],
      },
    },
  ]);
});

const longAgo = (id: string, fields: string) =>
  database.pool.query(`update documents set ${fields} where id = $1`, [id]);

test('the reaper queues a document that lost its job, and leaves one that waits for it', async () => {
  const lost = await create();
  const waiting = await create();
  await forgetJob(lost.id);
  expect(await reaper.run()).toBe(1);
  expect(await job(lost.id)).toBe('waiting');
  expect(await find(waiting.id)).toMatchObject({ status: 'indexing' });
  await removal.deleteMany(ws, col, (eb) => eb('documents.status', '=', 'indexing'));
});

test('the reaper queues a document whose job vanished during its attempt, and the next attempt overtakes it', async () => {
  const lost = await create();
  const running = await create();
  const stalled = await claim(lost);
  await claim(running);
  await lockJob(running.id);
  await forgetJob(lost.id);
  expect(await reaper.run()).toBe(1);
  expect([await job(lost.id), await job(running.id)]).toEqual(['waiting', 'running']);
  await ingestion.succeed(await claim(lost), READY);
  await expect(ingestion.succeed(stalled, READY)).rejects.toThrowError(AttemptSuperseded);
  expect((await find(lost.id)).status).toBe('ready');
  await removal.deleteMany(ws, col, (eb) => eb('documents.status', '=', 'indexing'));
});

test('the reaper fails a document that hangs in its worker past the deadline', async () => {
  const document = await create();
  const attempt = await claim(document);
  await longAgo(document.id, "deadline_at = now() - interval '2 minutes'");
  await lockJob(document.id);
  expect(await reaper.run()).toBe(1);
  expect(await find(document.id)).toMatchObject({ status: 'failed', error_type: 'timeout' });
  await expect(ingestion.succeed(attempt, READY)).rejects.toThrowError(AttemptSuperseded);
});

test('a document that is interrupted again and again is given up', async () => {
  const document = await create();
  for (let attempt = 0; attempt < 20; attempt++) await claim(document);
  expect(await ingestion.claim(ws, document.id, 1)).toBeUndefined();
  expect(await find(document.id)).toMatchObject({ status: 'failed', error_type: 'internal' });
});

async function member(archivePath: string, content: string, failure: UnpackedMember['failure'] = null) {
  const { path: file, sizeBytes } = await upload(archivePath, content);
  const kind = failure === null ? { format: 'txt', contentType: 'text/plain' } : { format: null, contentType: null };
  const name = path.basename(archivePath);
  return { archivePath, name, path: failure === null ? file : null, sizeBytes, sha256: content, ...kind, failure };
}

test('an archive is ready when its members are done and one of them is ready', async () => {
  const archive = await create('a.zip');
  const broken = await member('x/broken.bin', '', { type: 'unsupported', message: 'not supported' });
  await archives.storeMembers(await claim(archive), [await member('x/a.txt', 'a'), await member('b.txt', 'b'), broken]);
  const { items } = await documents.list(ws, col, { parentId: archive.id }, { limit: 10 });
  expect(items.map((item) => [item.metadata['archivePath'], item.status]).toSorted()).toEqual([
    ['b.txt', 'indexing'],
    ['x/a.txt', 'indexing'],
    ['x/broken.bin', 'failed'],
  ]);
  const [first, second] = items.filter((item) => item.status === 'indexing');
  await ingestion.succeed(await claim(first!), READY);
  expect((await find(archive.id)).status).toBe('indexing');
  await ingestion.fail(await claim(second!), 'no_text', 'empty');
  expect(await find(archive.id)).toMatchObject({ status: 'ready', error_type: null });
});

test('two last members that end at the same moment end the archive', async () => {
  const archive = await create('a.zip');
  await archives.storeMembers(await claim(archive), [await member('a.txt', 'a'), await member('b.txt', 'b')]);
  const { items } = await documents.list(ws, col, { parentId: archive.id }, { limit: 10 });
  const attempts = await Promise.all(items.map(claim));
  await Promise.all(attempts.map((attempt) => ingestion.fail(attempt, 'corrupt', 'broken')));
  expect(await find(archive.id)).toMatchObject({ status: 'failed', error_type: 'no_readable_member' });
});

test('a new content of an archive keeps unchanged members, replaces changed ones and removes those that are gone', async () => {
  const archive = await create('a.zip');
  const members = [await member('same.txt', 'same'), await member('old.txt', 'old'), await member('gone.txt', 'gone')];
  await archives.storeMembers(await claim(archive), members);
  const before = await documents.list(ws, col, { parentId: archive.id }, { limit: 10 });
  for (const item of before.items) await ingestion.succeed(await claim(item), READY);
  await documents.replace(ws, archive.id, { upload: await upload('a.zip', 'zip') });
  await archives.storeMembers(await claim(archive), [
    await member('same.txt', 'same'),
    await member('old.txt', 'changed'),
  ]);
  const after = await documents.list(ws, col, { parentId: archive.id }, { limit: 10 });
  expect(after.items.map((item) => [item.metadata['archivePath'], item.revision, item.status]).toSorted()).toEqual([
    ['old.txt', 2, 'indexing'],
    ['same.txt', 1, 'ready'],
  ]);
});

test('deleting an archive deletes its members, undeleting brings back those that went with it', async () => {
  const archive = await create('a.zip');
  await archives.storeMembers(await claim(archive), [await member('a.txt', 'a'), await member('b.txt', 'b')]);
  const { items } = await documents.list(ws, col, { parentId: archive.id }, { limit: 10 });
  await removal.remove(ws, col, items[0]!.id, false);
  await removal.remove(ws, col, archive.id, false);
  expect((await documents.list(ws, col, { parentId: archive.id }, { limit: 10 })).total).toBe(0);
  await removal.undelete(ws, archive.id);
  const back = await documents.list(ws, col, { parentId: archive.id }, { limit: 10 });
  expect(back.items.map((item) => item.id)).toEqual([items[1]!.id]);
});
