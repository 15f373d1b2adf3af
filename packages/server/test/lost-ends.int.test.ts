// large: starts and kills a PostgreSQL server
/**
 * PostgreSQL crashes and loses what a worker committed without waiting for the disk: the end of a record, or the claim
 * of it. The worker goes on and remembers the commit. Whatever it does then, the record ends.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { connectDatabase, createPool } from '../src/database/connect.ts';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { migrateDatabase } from '../src/database/migrate.ts';
import { PostgresNotifications } from '../src/database/notifications-postgres.ts';
import { CollectionService } from '../src/domain/collections/service.ts';
import { AttemptSuperseded } from '../src/domain/documents/attempt.ts';
import { DocumentIngestion } from '../src/domain/documents/ingestion.ts';
import { DocumentService } from '../src/domain/documents/service.ts';
import { RunProcessing, RunSuperseded } from '../src/domain/runs/processing.ts';
import { RunService } from '../src/domain/runs/service.ts';
import { WorkspaceService } from '../src/domain/workspaces/service.ts';
import { GraphileJobQueue } from '../src/queue/graphile-queue.ts';
import { Instance } from '../src/queue/instance.ts';
import { Worker, type JobHandlers } from '../src/queue/worker.ts';
import { FilesystemStore } from '../src/storage/filesystem-store.ts';
import { idleEmbedders } from './idle-embedders.ts';

const logger = pino({ level: 'silent' });
const folder = await mkdtemp(path.join(tmpdir(), 'quire-lost-ends-'));
// Only a commit that waits for the disk writes the log to it.
const settings = { wal_writer_delay: '10s', wal_writer_flush_after: '1GB', autovacuum: 'off' };
const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), logger, settings });
const connection = server.connectionString;
const handle = connectDatabase({ connection, poolSize: 4, applicationName: 'clients', logger });
const work = connectDatabase({ connection, poolSize: 4, applicationName: 'work', asynchronousCommit: true, logger });
const { db, pool } = handle;
await migrateDatabase(pool, logger);
const store = await FilesystemStore.open(path.join(folder, 'store'));
const queue = new GraphileJobQueue(db);
const ws = (await new WorkspaceService({ database: db, queue, onDeleted: () => undefined }).create('w')).id;
const collections = new CollectionService({ database: db, queue, embedders: idleEmbedders(db) });
const col = (await collections.create(ws, { name: 'c' })).record.id;
const cleanups: (() => Promise<unknown>)[] = [];
let services: ReturnType<typeof buildServices>;
let crashes = 0;

afterAll(async () => {
  await work.close();
  await handle.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  crashes = 0;
  const notifications = await PostgresNotifications.connect({ connection, logger });
  cleanups.push(() => notifications.close());
  services = buildServices(notifications);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function buildServices(notifications: PostgresNotifications) {
  const common = { queue, store, notifications, deadlineMs: 900_000, retentionMs: 900_000 };
  const inspectUpload = () => Promise.resolve({ format: 'txt' as const, contentType: 'text/plain', isArchive: false });
  const onBatchFailed = () => undefined;
  const requests = { ...common, database: db, inspectUpload, onBatchFailed };
  return {
    notifications,
    documents: new DocumentService(requests),
    runs: new RunService({ ...requests, checkBlocks: () => Promise.resolve([]), maxFiles: 100 }),
    ingestion: new DocumentIngestion({ ...common, database: work.db, onBatchFailed }),
    processing: new RunProcessing({ ...common, database: work.db }),
  };
}

async function startLane(handlers: JobHandlers): Promise<void> {
  const settingsOfPool = { connection, poolSize: 4, applicationName: 'lane', asynchronousCommit: true, logger };
  const lane = createPool({ ...settingsOfPool, queryTimeoutMs: 10_000 });
  const instance = await Instance.start({ db, role: 'worker', logger });
  const worker = await Worker.start({
    pool: lane,
    notifications: services.notifications,
    instance,
    logger,
    concurrency: 4,
    handlers,
    onExhausted: async () => undefined,
  });
  cleanups.push(async () => {
    await worker.stop();
    await instance.stop();
    await lane.end();
  });
}

/** Writes the log to disk: what was committed before outlasts a crash. */
const keep = () => pool.query("select pg_logical_emit_message(true, 'keep', '')");

/** Ends the server at once, and waits until it has been started again. */
async function crash(): Promise<void> {
  const { pid } = server;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => server.pid).not.toBe(pid);
  await expect.poll(() => pool.query('select 1').catch(() => undefined)).toMatchObject({ rowCount: 1 });
  crashes += 1;
}

async function upload() {
  const file = path.join(folder, randomUUID());
  await writeFile(file, 'text');
  return { path: file, name: 'a.txt', contentType: null, sizeBytes: 4, sha256: randomUUID() };
}

const createRun = async () =>
  (await services.runs.create(ws, { blocks: {}, uploads: [await upload()], staged: false })).id;
const createDocument = async () =>
  (await services.documents.create(ws, col, { upload: await upload(), duplicates: 'allow' })).record.id;
const statusOfRun = async (id: string) => (await services.runs.findById(ws, id))?.status;
const statusOfDocument = async (id: string) => (await services.documents.findById(ws, id))?.status;
const jobs = async () => (await pool.query('select key from graphile_worker._private_jobs')).rows;

const SUCCESS = { outcome: { files: [], usage: { inputTokens: 0, outputTokens: 0, pageCount: 0 } }, error: null };
const READY = { language: 'en', title: null, pageCount: null, warnings: [], chunkCounts: new Map([[1, 1]]) };

/** The server crashes in the first attempt, after the claim or after the end, and keeps what was committed before. */
type Moment = 'claim' | 'end';

/** A handler of runs that ends them, and a crash in the first attempt. */
function runHandler(moment: Moment): JobHandlers {
  let attempts = 0;
  return {
    'process-run': async ({ workspaceId, runId }, { job }) => {
      const isFirst = (attempts += 1) === 1;
      if (isFirst && moment === 'claim') await keep();
      const attempt = await services.processing.claim(workspaceId, runId, job);
      if (attempt === undefined) return undefined;
      if (isFirst && moment === 'end') await keep();
      if (isFirst && moment === 'claim') await crash();
      try {
        await services.processing.finish(attempt, SUCCESS);
      } catch (error) {
        if (error instanceof RunSuperseded) return undefined;
        throw error;
      }
      if (isFirst && moment === 'end') await crash();
      return 'recorded';
    },
  };
}

/** The same for documents, which succeed or fail. */
function documentHandler(moment: Moment, outcome: 'ready' | 'failed'): JobHandlers {
  let attempts = 0;
  return {
    'ingest-small-document': async ({ workspaceId, documentId, revision }, { job }) => {
      const isFirst = (attempts += 1) === 1;
      if (isFirst && moment === 'claim') await keep();
      const attempt = await services.ingestion.claim(workspaceId, documentId, revision, job);
      if (attempt === undefined) return undefined;
      if (isFirst && moment === 'end') await keep();
      if (isFirst && moment === 'claim') await crash();
      try {
        if (outcome === 'ready') await services.ingestion.succeed(attempt, READY);
        else await services.ingestion.fail(attempt, 'corrupt', 'no');
      } catch (error) {
        if (error instanceof AttemptSuperseded) return undefined;
        throw error;
      }
      if (isFirst && moment === 'end') await crash();
      return 'recorded';
    },
  };
}

test.each(['claim', 'end'] as const)('a run whose %s was lost in a crash ends, with its job', async (moment) => {
  const id = await createRun();
  await startLane(runHandler(moment));
  await expect.poll(() => crashes, { timeout: 30_000 }).toBe(1);
  await expect.poll(() => statusOfRun(id), { timeout: 30_000 }).toBe('done');
  await expect.poll(jobs, { timeout: 30_000 }).toEqual([]);
});

test.each([
  ['claim', 'ready'],
  ['claim', 'failed'],
  ['end', 'ready'],
  ['end', 'failed'],
] as const)('a document whose %s was lost in a crash becomes %s, and its job ends', async (moment, outcome) => {
  const id = await createDocument();
  await startLane(documentHandler(moment, outcome));
  await expect.poll(() => crashes, { timeout: 30_000 }).toBe(1);
  await expect.poll(() => statusOfDocument(id), { timeout: 30_000 }).toBe(outcome);
  await expect.poll(jobs, { timeout: 30_000 }).toEqual([]);
});
