// large: uploads many documents
/** Documents and bytes of a workspace are counted exactly, and never exceed its quota. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ArchiveIngestion } from '../src/domain/documents/archive-ingestion.ts';
import { DocumentRemoval } from '../src/domain/documents/removal.ts';
import { DocumentService } from '../src/domain/documents/service.ts';
import { foldUsage, QuotaExceeded, readUsage, WorkspaceQuota, type Usage } from '../src/domain/workspaces/quota.ts';
import { FilesystemStore } from '../src/storage/filesystem-store.ts';
import { openDocumentServices } from './document-services.ts';

const services = await openDocumentServices();
const { database, notifications, queue, ingestion, workspaces, collections } = services;
const { db } = database;
const directory = await mkdtemp(path.join(tmpdir(), 'quire-quota-'));
const store = await FilesystemStore.open(path.join(directory, 'store'));
let ws: string;
let col: string;

beforeEach(async () => {
  ws = (await workspaces.create('w')).id;
  col = (await collections.create(ws, { name: 'c' })).record.id;
});
afterAll(async () => {
  await services.close();
  await rm(directory, { recursive: true, force: true });
});

const inspectUpload = ({ name }: { name: string }) =>
  Promise.resolve(
    name.endsWith('.zip')
      ? { format: 'zip' as const, contentType: 'application/zip', isArchive: true }
      : { format: 'txt' as const, contentType: 'text/plain', isArchive: false },
  );

function documentsWith(limits: Usage): DocumentService {
  const quota = new WorkspaceQuota(limits);
  const onBatchFailed = (): void => undefined;
  return new DocumentService({ database: db, queue, store, notifications, inspectUpload, quota, onBatchFailed });
}

async function upload(content: string, name = 'a.txt') {
  const file = path.join(directory, randomUUID());
  await writeFile(file, content);
  return { path: file, name, contentType: null, sizeBytes: content.length, sha256: randomUUID() };
}

async function create(documents: DocumentService, content: string, name?: string): Promise<string> {
  return (await documents.create(ws, col, { upload: await upload(content, name), duplicates: 'allow' })).record.id;
}

const usage = (): Promise<Usage> => readUsage(db, ws);
const READY = { language: 'en', title: null, pageCount: null, warnings: [], chunkCounts: new Map([[1, 1]]) };
const NONE = { documents: 0, bytes: 0 };

test('documents count with all contents that are stored, until they are purged', async () => {
  const documents = documentsWith(NONE);
  const id = await create(documents, 'four');
  expect(await usage()).toEqual({ documents: 1, bytes: 4 });
  await documents.replace(ws, id, { upload: await upload('seventy') });
  expect(await usage()).toEqual({ documents: 1, bytes: 7 });
  await ingestion.succeed((await ingestion.claim(ws, id, 2))!, READY);
  expect(await usage()).toEqual({ documents: 1, bytes: 7 });
  // The searchable content stays while a newer one is not searchable.
  await documents.replace(ws, id, { upload: await upload('x') });
  expect(await usage()).toEqual({ documents: 1, bytes: 8 });
  await documents.replace(ws, id, { upload: await upload('xyz') });
  await ingestion.fail((await ingestion.claim(ws, id, 4))!, 'corrupt', 'unreadable');
  expect(await usage()).toEqual({ documents: 1, bytes: 10 });
  await foldUsage(db);
  expect(await usage()).toEqual({ documents: 1, bytes: 10 });
  const removal = new DocumentRemoval({ database: db, queue, notifications });
  await removal.remove(ws, col, id, false);
  expect(await usage()).toEqual({ documents: 1, bytes: 10 });
  await removal.remove(ws, col, id, true);
  await foldUsage(db);
  expect(await usage()).toEqual(NONE);
});

test('concurrent uploads of two processes stop exactly at the quota, and leave no file beyond it', async () => {
  const processes = [documentsWith({ documents: 0, bytes: 20 }), documentsWith({ documents: 0, bytes: 20 })];
  const uploads = Array.from({ length: 12 }, (_, at) => create(processes[at % 2]!, 'four'));
  const outcomes = await Promise.allSettled(uploads);
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  expect(outcomes.length - refused.length).toBe(5);
  expect(refused.every((error) => error instanceof QuotaExceeded)).toBe(true);
  expect((refused[0] as QuotaExceeded).details).toEqual([
    {
      loc: [],
      msg: expect.stringMatching(/^The workspace may store 20 bytes; it stores \d+, and 4 more are needed$/),
      type: 'quota_exceeded',
      ctx: { quota: 'bytes', limit: 20, used: expect.any(Number), needed: 4 },
    },
  ]);
  expect(await usage()).toEqual({ documents: 5, bytes: 20 });
  const stored: string[] = [];
  for await (const { key } of store.list(`workspaces/${ws}/`)) stored.push(key);
  expect(stored).toHaveLength(5);
});

test('new content counts by what it adds', async () => {
  const documents = documentsWith({ documents: 1, bytes: 10 });
  const id = await create(documents, 'six678');
  await documents.replace(ws, id, { upload: await upload('ten4567890') });
  await ingestion.succeed((await ingestion.claim(ws, id, 2))!, READY);
  await expect(documents.replace(ws, id, { upload: await upload('x') })).rejects.toThrow(QuotaExceeded);
  await expect(create(documents, '')).rejects.toMatchObject({
    details: [{ ctx: { quota: 'documents', limit: 1, used: 1, needed: 1 } }],
  });
  expect(await usage()).toEqual({ documents: 1, bytes: 10 });
});

test('the members of an archive are counted before the first one is stored', async () => {
  const id = await create(documentsWith(NONE), 'zip!', 'a.zip');
  const attempt = (await ingestion.claim(ws, id, 1))!;
  const quota = new WorkspaceQuota({ documents: 3, bytes: 0 });
  const archives = new ArchiveIngestion({ database: db, queue, notifications, store, quota });
  const members = await Promise.all(
    ['1', '2', '3'].map(async (name) => {
      const { path: file } = await upload('text');
      const kind = { format: 'txt', contentType: 'text/plain', failure: null };
      return { archivePath: name, name, path: file, sizeBytes: 4, sha256: randomUUID(), ...kind };
    }),
  );
  await expect(archives.storeMembers(attempt, members)).rejects.toThrow(
    'The workspace may store 3 documents; it stores 1, and 3 more are needed',
  );
  expect(await usage()).toEqual({ documents: 1, bytes: 4 });
  await archives.storeMembers(attempt, members.slice(1));
  expect(await usage()).toEqual({ documents: 3, bytes: 12 });
});

test('the inputs of runs count until they are deleted', async () => {
  const files = [{ id: '1', name: 'a', format: 'txt', contentType: 'text/plain', sizeBytes: 9, sha256: '' }];
  const run = { id: randomUUID(), workspace_id: ws, status: 'queued' as const, config: '{}', files: '[]' };
  await db.insertInto('runs').values(run).execute();
  await db
    .updateTable('runs')
    .set({ files: JSON.stringify(files) })
    .where('id', '=', run.id)
    .execute();
  expect(await usage()).toEqual({ documents: 0, bytes: 9 });
  await db.updateTable('runs').set({ outputs_deleted_at: new Date() }).where('id', '=', run.id).execute();
  expect(await usage()).toEqual(NONE);
  await db.deleteFrom('runs').where('id', '=', run.id).execute();
  expect(await usage()).toEqual(NONE);
});
