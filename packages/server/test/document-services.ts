/** The services of documents on a real database, without a worker or an index: tests play the workers. */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { PostgresNotifications } from '../src/database/notifications-postgres.ts';
import { CollectionService } from '../src/domain/collections/service.ts';
import type { NewRecord } from '../src/domain/documents/batches/batched-inserts.ts';
import { DocumentIngestion } from '../src/domain/documents/ingestion.ts';
import { DocumentRepository } from '../src/domain/documents/repository.ts';
import { WorkspaceService } from '../src/domain/workspaces/service.ts';
import { Backlogs } from '../src/queue/backlogs.ts';
import { GraphileJobQueue } from '../src/queue/graphile-queue.ts';
import { idleEmbedders } from './idle-embedders.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';

export const DEADLINE_MS = 900_000;

/** Fails the test: no document of these tests may make a batch fail. */
export const onBatchFailed = (error: unknown): never => {
  throw error;
};

export interface DocumentServices {
  database: TestDatabase;
  notifications: PostgresNotifications;
  queue: GraphileJobQueue;
  workspaces: WorkspaceService;
  collections: CollectionService;
  ingestion: DocumentIngestion;
  /** Returns new counts of unfinished documents. */
  newBacklogs: (now?: () => number) => Backlogs;
  /** A workspace, and a collection in it. */
  ws: string;
  col: string;
  close(): Promise<void>;
}

export async function openDocumentServices(): Promise<DocumentServices> {
  const database = await createTestDatabase();
  const { db, connectionString: connection } = database;
  const notifications = await PostgresNotifications.connect({ connection, logger: pino({ level: 'silent' }) });
  const queue = new GraphileJobQueue(db);
  const workspaces = new WorkspaceService({ database: db, queue, onDeleted: () => undefined });
  const collections = new CollectionService({ database: db, queue, embedders: idleEmbedders(db) });
  const ws = (await workspaces.create('w')).id;
  return {
    database,
    notifications,
    queue,
    workspaces,
    collections,
    ingestion: new DocumentIngestion({ database: db, queue, notifications, deadlineMs: DEADLINE_MS, onBatchFailed }),
    newBacklogs: (now) => new Backlogs((id, cap) => new DocumentRepository(db).backlog(id, cap), now),
    ws,
    col: (await collections.create(ws, { name: 'c' })).record.id,
    close: async () => {
      await notifications.close();
      await database.drop();
    },
  };
}

/** Returns the record of an uploaded text, as a service inserts it. */
export const newRecord = (workspaceId: string, collectionId: string, metadata: object = {}): NewRecord => ({
  id: randomUUID(),
  workspace_id: workspaceId,
  collection_id: collectionId,
  name: 'a.txt',
  format: 'txt',
  content_type: 'text/plain',
  size_bytes: 4,
  sha256: randomUUID(),
  content_id: randomUUID(),
  is_archive: false,
  metadata: JSON.stringify(metadata),
  status: 'indexing',
  stage: 'queued',
  parent_id: null,
  error_type: null,
  error_message: null,
});
