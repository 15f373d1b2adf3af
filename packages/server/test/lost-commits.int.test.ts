/** Uploads and runs whose transaction is committed although its answer is lost, on a real database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Database } from '../src/database/tables.ts';
import type { Upload } from '../src/domain/documents/types.ts';
import { DocumentService } from '../src/domain/documents/service.ts';
import { RunService } from '../src/domain/runs/service.ts';
import { FilesystemStore } from '../src/storage/filesystem-store.ts';
import { storageKeys } from '../src/storage/layout.ts';
import { openDocumentServices } from './document-services.ts';

const services = await openDocumentServices();
const { database, queue, notifications, ws, col } = services;
const directory = await mkdtemp(path.join(tmpdir(), 'quire-lost-commits-'));
const store = await FilesystemStore.open(path.join(directory, 'store'));
const shared = {
  queue,
  store,
  notifications,
  inspectUpload: () => Promise.resolve({ format: 'txt' as const, contentType: 'text/plain', isArchive: false }),
};
afterAll(async () => {
  await services.close();
  await rm(directory, { recursive: true, force: true });
});

const LOST = new Error('Connection terminated unexpectedly');

/** Returns a database whose connection breaks after the first commit; with `isDown` it does not answer after that. */
function losing(isDown: boolean): Kysely<Database> {
  let isLost = false;
  const transaction = () => ({
    execute: async (work: Parameters<ReturnType<Kysely<Database>['transaction']>['execute']>[0]) => {
      const result = await database.db.transaction().execute(work);
      if (isLost) return result;
      isLost = true;
      throw LOST;
    },
  });
  return new Proxy(database.db, {
    get: (target, name) => {
      if (isLost && isDown) throw LOST;
      if (name === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function upload(): Promise<Upload> {
  const file = path.join(directory, randomUUID());
  await writeFile(file, 'text');
  return { path: file, name: 'a.txt', contentType: null, sizeBytes: 4, sha256: randomUUID() };
}

const fail = (error: unknown): never => {
  throw error;
};

const uploadTo = async (collection: string, isDown: boolean, failures: unknown[] = []) => {
  const onBatchFailed = (error: unknown) => failures.push(error);
  const documents = new DocumentService({ ...shared, database: losing(isDown), onBatchFailed });
  return documents.create(ws, collection, { upload: await upload(), duplicates: 'allow' });
};
const documentsIn = async (collection: string) =>
  (await database.db.selectFrom('documents').selectAll().where('collection_id', '=', collection).execute()).map(
    ({ id, content_id }) => ({ id, content_id }),
  );

test('an upload whose commit was not answered returns its document, once', async () => {
  const failures: unknown[] = [];
  const { record } = await uploadTo(col, false, failures);
  expect(failures).toEqual([LOST]);
  expect(await documentsIn(col)).toEqual([{ id: record.id, content_id: record.content_id }]);
});

test('a run whose commit was not answered is returned with its files, also with an idempotency key', async () => {
  for (const idempotencyKey of [undefined, randomUUID()]) {
    const failures: unknown[] = [];
    const runs = new RunService({
      ...shared,
      database: losing(false),
      checkBlocks: () => Promise.resolve([]),
      maxFiles: 100,
      retentionMs: 900_000,
      onBatchFailed: (error) => failures.push(error),
    });
    const run = await runs.create(ws, { blocks: {}, uploads: [await upload()], staged: false, idempotencyKey });
    expect(failures).toEqual([LOST]);
    expect(await store.stat(storageKeys.runInput(run, run.files[0]!.id))).toEqual({ sizeBytes: 4 });
  }
});

test('the file stays when the document was committed and the database does not answer', async () => {
  const other = (await services.collections.create(ws, { name: 'other' })).record.id;
  await expect(uploadTo(other, true)).rejects.toThrow(LOST);
  const [document] = await documentsIn(other);
  const place = { id: document!.id, workspace_id: ws, collection_id: other };
  expect(await store.stat(storageKeys.original(place, document!.content_id))).toEqual({ sizeBytes: 4 });
});

test.each(['skip', 'reject'] as const)(
  'an upload with duplicates=%s whose commit was not answered is found',
  async (duplicates) => {
    const collection = (await services.collections.create(ws, { name: duplicates })).record.id;
    const documents = new DocumentService({ ...shared, database: losing(false), onBatchFailed: fail });
    const file = await upload();
    const { record, created } = await documents.create(ws, collection, { upload: file, duplicates });
    expect(created).toBe(true);
    expect(await documentsIn(collection)).toEqual([{ id: record.id, content_id: record.content_id }]);
  },
);

test('new content whose commit was not answered is found', async () => {
  const collection = (await services.collections.create(ws, { name: 'replaced' })).record.id;
  const before = new DocumentService({ ...shared, database: database.db, onBatchFailed: fail });
  const { id } = (await before.create(ws, collection, { upload: await upload(), duplicates: 'allow' })).record;
  const documents = new DocumentService({ ...shared, database: losing(false), onBatchFailed: fail });
  const record = await documents.replace(ws, id, { upload: await upload() });
  expect(record).toMatchObject({ id, revision: 2 });
  const place = { id, workspace_id: ws, collection_id: collection };
  expect(await store.stat(storageKeys.original(place, record.content_id))).toEqual({ sizeBytes: 4 });
});

test('an upload that could not be answered is found by a repeat with the same bytes', async () => {
  const collection = (await services.collections.create(ws, { name: 'repeated' })).record.id;
  const file = await upload();
  const down = new DocumentService({ ...shared, database: losing(true), onBatchFailed: () => undefined });
  await expect(down.create(ws, collection, { upload: file, duplicates: 'allow' })).rejects.toThrow(LOST);
  await writeFile(file.path, 'text');
  const documents = new DocumentService({ ...shared, database: database.db, onBatchFailed: fail });
  const { record, created } = await documents.create(ws, collection, { upload: file, duplicates: 'skip' });
  expect(created).toBe(false);
  expect(await documentsIn(collection)).toEqual([{ id: record.id, content_id: record.content_id }]);
});
