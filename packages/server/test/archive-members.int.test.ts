// large: starts and kills whole services
/** Members of an archive that is deleted, replaced or purged while it is being unpacked, on a real database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ArchiveIngestion, type UnpackedMember } from '../src/domain/documents/archive-ingestion.ts';
import { MAX_COPIED_METADATA_BYTES } from '../src/domain/documents/copied-metadata.ts';
import { AttemptSuperseded, type Attempt } from '../src/domain/documents/attempt.ts';
import { DocumentRemoval } from '../src/domain/documents/removal.ts';
import { DocumentService } from '../src/domain/documents/service.ts';
import { newId } from '../src/shared/uuid.ts';
import { FilesystemStore } from '../src/storage/filesystem-store.ts';
import type { ObjectStore } from '../src/storage/object-store.ts';
import { onBatchFailed, openDocumentServices } from './document-services.ts';

const MEMBERS = 100;

const services = await openDocumentServices();
const { database, notifications, queue, ingestion, ws, col } = services;
const { db } = database;
const directory = await mkdtemp(path.join(tmpdir(), 'quire-archive-members-'));
const store = await FilesystemStore.open(path.join(directory, 'objects'));
const inspectUpload = async () => ({ format: 'zip' as const, contentType: 'application/zip', isArchive: true });
const removal = new DocumentRemoval({ database: db, queue, notifications });
const documents = new DocumentService({ database: db, queue, store, notifications, inspectUpload, onBatchFailed });
afterAll(async () => {
  await services.close();
  await rm(directory, { recursive: true, force: true });
});

async function upload() {
  const file = path.join(directory, newId());
  await writeFile(file, 'an archive');
  return { path: file, name: 'a.zip', contentType: 'application/zip', sizeBytes: 10, sha256: newId() };
}

async function uploadArchive(): Promise<Attempt> {
  const { record } = await documents.create(ws, col, { upload: await upload(), duplicates: 'allow' });
  return (await ingestion.claim(ws, record.id, 1))!;
}

/** A member that could not be unpacked, so that it has no file. */
const unread: UnpackedMember = {
  archivePath: '',
  name: 'a.txt',
  path: null,
  sizeBytes: 1,
  sha256: '',
  format: null,
  contentType: null,
  failure: { type: 'corrupt', message: 'damaged' },
};

async function members(prefix: string, count = MEMBERS): Promise<UnpackedMember[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const file = path.join(directory, newId());
      await writeFile(file, `${prefix} ${at}`);
      return {
        archivePath: `${prefix}/${at}.txt`,
        name: `${at}.txt`,
        path: file,
        sizeBytes: 8,
        sha256: newId(),
        format: 'txt',
        contentType: 'text/plain',
        failure: null,
      };
    }),
  );
}

/** Uses a store that runs `interrupt` when half of the members are stored, and lists the keys it stores afterwards. */
function archiveIngestion(
  interrupt: () => Promise<unknown> = async () => undefined,
  storedAfterwards: string[] = [],
): ArchiveIngestion {
  let stored = 0;
  const interrupted: Pick<ObjectStore, 'putFile' | 'delete'> = {
    putFile: async (key, file) => {
      if (stored++ === MEMBERS / 2) await interrupt();
      if (stored > MEMBERS / 2) storedAfterwards.push(key);
      return store.putFile(key, file);
    },
    delete: (key) => store.delete(key),
  };
  return new ArchiveIngestion({ database: database.db, queue, notifications, store: interrupted as ObjectStore });
}

const liveMembers = (archiveId: string) =>
  database.db
    .selectFrom('documents')
    .select('metadata')
    .where('parent_id', '=', archiveId)
    .where('deleted_at', 'is', null)
    .execute();

test('an archive that is deleted while it is unpacked has no live member, then or later', async () => {
  const attempt = await uploadArchive();
  const archives = archiveIngestion(() => removal.remove(ws, col, attempt.document.id, false));
  await expect(archives.storeMembers(attempt, await members('old'))).rejects.toThrow(AttemptSuperseded);
  expect(await liveMembers(attempt.document.id)).toEqual([]);
});

test('an archive that is replaced while it is unpacked ends with the members of its new content only', async () => {
  const attempt = await uploadArchive();
  const { id } = attempt.document;
  const archives = archiveIngestion(async () => {
    await documents.replace(ws, id, { upload: await upload() });
    const second = (await ingestion.claim(ws, id, 2))!;
    await archiveIngestion().storeMembers(second, await members('new', 3));
  });
  await expect(archives.storeMembers(attempt, await members('old'))).rejects.toThrow(AttemptSuperseded);
  const paths = (await liveMembers(id)).map(({ metadata }) => metadata['archivePath']);
  expect(paths.toSorted()).toEqual(['new/0.txt', 'new/1.txt', 'new/2.txt']);
});

test('an archive that is purged while it is unpacked leaves neither members nor their files', async () => {
  const attempt = await uploadArchive();
  const { id } = attempt.document;
  const storedAfterPurge: string[] = [];
  const archives = archiveIngestion(() => removal.remove(ws, col, id, true), storedAfterPurge);
  await expect(archives.storeMembers(attempt, await members('old'))).rejects.toThrow(AttemptSuperseded);
  expect(await liveMembers(id)).toEqual([]);
  expect(storedAfterPurge.length).toBeGreaterThan(0);
  expect(await Promise.all(storedAfterPurge.map((key) => store.stat(key)))).toEqual(
    storedAfterPurge.map(() => undefined),
  );
});

test('a nested archive that is gone from its archive takes its members with it', async () => {
  const attempt = await uploadArchive();
  const { id } = attempt.document;
  const [nested] = await members('nested', 1);
  await archiveIngestion().storeMembers(attempt, [{ ...nested!, name: 'n.zip', format: 'zip' }]);
  const inner = await database.db.selectFrom('documents').select('id').where('parent_id', '=', id).executeTakeFirst();
  const innerAttempt = (await ingestion.claim(ws, inner!.id, 1))!;
  await archiveIngestion().storeMembers(innerAttempt, await members('inner', 2));
  await documents.replace(ws, id, { upload: await upload() });
  await archiveIngestion().storeMembers((await ingestion.claim(ws, id, 2))!, await members('new', 1));
  expect(await liveMembers(inner!.id)).toEqual([]);
});

/** Size in bytes of the metadata of the uploads below. */
const METADATA_BYTES = 60_000;

async function uploadWithMetadata(): Promise<Attempt> {
  const metadata = { text: 'x'.repeat(METADATA_BYTES - JSON.stringify({ text: '' }).length) };
  const { record } = await documents.create(ws, col, { upload: await upload(), duplicates: 'allow', metadata });
  return (await ingestion.claim(ws, record.id, 1))!;
}

test('an archive whose members would copy too much metadata stores none of them', async () => {
  const attempt = await uploadWithMetadata();
  const count = Math.floor(MAX_COPIED_METADATA_BYTES / METADATA_BYTES) + 1;
  const many = Array.from({ length: count }, (_, at) => ({ ...unread, archivePath: `${at}` }));
  await expect(archiveIngestion().storeMembers(attempt, many)).rejects.toMatchObject({
    type: 'too_large',
    message:
      `The metadata of the archive would be copied to its members: ${count * METADATA_BYTES} bytes in all, ` +
      `at most ${MAX_COPIED_METADATA_BYTES}. Upload it with less metadata`,
  });
  expect(await liveMembers(attempt.document.id)).toEqual([]);
});

test('the members of nested archives share the limit of copied metadata', async () => {
  const attempt = await uploadWithMetadata();
  const file = path.join(directory, newId());
  await writeFile(file, 'an archive');
  const zip = { path: file, format: 'zip', contentType: 'application/zip', failure: null, sizeBytes: 10 };
  const half = Math.floor(MAX_COPIED_METADATA_BYTES / METADATA_BYTES / 2);
  const many = Array.from({ length: half + 10 }, (_, at) => ({ ...unread, archivePath: `${at}` }));
  await archiveIngestion().storeMembers(attempt, [{ ...unread, ...zip, archivePath: 'inner.zip' }, ...many.slice(10)]);
  const inner = await db
    .selectFrom('documents')
    .selectAll()
    .where('parent_id', '=', attempt.document.id)
    .where('is_archive', '=', true)
    .executeTakeFirstOrThrow();
  const innerAttempt = (await ingestion.claim(ws, inner.id, 1))!;
  await expect(archiveIngestion().storeMembers(innerAttempt, many)).rejects.toMatchObject({ type: 'too_large' });
  await archiveIngestion().storeMembers(innerAttempt, many.slice(0, half - 10));
});
