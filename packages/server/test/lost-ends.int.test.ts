// large: starts and kills a PostgreSQL server
/**
 * PostgreSQL crashes at each commit of a worker, which loses the commit that the worker saw, or keeps one whose answer
 * the worker did not get. The record ends all the same, and its job with it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pause } from '@quire/shared/pause';
import pino from 'pino';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { connectDatabase, createPool } from '../src/database/connect.ts';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { migrateDatabase } from '../src/database/migrate.ts';
import { PostgresNotifications } from '../src/database/notifications-postgres.ts';
import { CollectionService } from '../src/domain/collections/service.ts';
import { AttemptSuperseded, type Attempt } from '../src/domain/documents/attempt.ts';
import { DocumentIngestion } from '../src/domain/documents/ingestion.ts';
import { DocumentService } from '../src/domain/documents/service.ts';
import { RunProcessing, RunSuperseded } from '../src/domain/runs/processing.ts';
import { RunService } from '../src/domain/runs/service.ts';
import { WorkspaceService } from '../src/domain/workspaces/service.ts';
import { GraphileJobQueue } from '../src/queue/graphile-queue.ts';
import { Instance } from '../src/queue/instance.ts';
import { Worker, type JobHandlers } from '../src/queue/worker.ts';
import { FilesystemStore } from '../src/storage/filesystem-store.ts';
import { CommitPoints, watchCommits, type Fate } from './commit-points.ts';
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
let services: ReturnType<typeof buildServices>;
let points: CommitPoints | undefined;
watchCommits(work.pool, () => points);

beforeEach(async () => {
  services = buildServices(await PostgresNotifications.connect({ connection, logger }));
});
afterEach(() => services.notifications.close());
afterAll(async () => {
  await work.close();
  await handle.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
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

/** Starts a lane with connections as those of a service, and returns its stop. */
async function startLane(handlers: JobHandlers): Promise<() => Promise<void>> {
  const common = { connection, poolSize: 4, applicationName: 'lane', logger };
  const lane = createPool({ ...common, asynchronousCommit: true, queryTimeoutMs: 10_000 });
  watchCommits(lane, () => points);
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
  return async () => {
    await worker.stop();
    await instance.stop();
    await lane.end();
  };
}

const writeLog = () => pool.query("select pg_logical_emit_message(true, 'kept', '')");

async function crash(): Promise<void> {
  const { pid } = server;
  process.kill(pid, 'SIGKILL');
  while (server.pid === pid) await pause(20);
  while ((await pool.query('select').catch(() => undefined)) === undefined) await pause(20);
}

async function upload() {
  const file = path.join(folder, randomUUID());
  await writeFile(file, 'text');
  return { path: file, name: 'a.txt', contentType: null, sizeBytes: 4, sha256: randomUUID() };
}

/** A kind of record: creates one, handles its job, and returns its status. */
interface Kind {
  create: () => Promise<string>;
  handlers: JobHandlers;
  status: (id: string) => Promise<string | undefined>;
}

const SUCCESS = { outcome: { files: [], usage: { inputTokens: 0, outputTokens: 0, pageCount: 0 } }, error: null };
const READY = { language: 'en', title: null, pageCount: null, warnings: [], chunkCounts: new Map([[1, 1]]) };

const recorded = (): 'recorded' => 'recorded';
const unless =
  (superseded: new (...args: never[]) => Error) =>
  (error: unknown): undefined => {
    if (!(error instanceof superseded)) throw error;
  };

const documentsThat = (end: (attempt: Attempt) => Promise<void>): Kind => ({
  create: async () =>
    (await services.documents.create(ws, col, { upload: await upload(), duplicates: 'allow' })).record.id,
  status: async (id) => (await services.documents.findById(ws, id))?.status,
  handlers: {
    'ingest-small-document': async ({ workspaceId, documentId, revision }, { job }) => {
      const attempt = await services.ingestion.claim(workspaceId, documentId, revision, job);
      if (attempt === undefined) return undefined;
      return end(attempt).then(recorded, unless(AttemptSuperseded));
    },
  },
});

const KINDS: Readonly<Record<string, Kind>> = {
  done: {
    create: async () => (await services.runs.create(ws, { blocks: {}, uploads: [await upload()], staged: false })).id,
    status: async (id) => (await services.runs.findById(ws, id))?.status,
    handlers: {
      'process-run': async ({ workspaceId, runId }, { job }) => {
        const attempt = await services.processing.claim(workspaceId, runId, job);
        if (attempt === undefined) return undefined;
        return services.processing.finish(attempt, SUCCESS).then(recorded, unless(RunSuperseded));
      },
    },
  },
  ready: documentsThat(async (attempt) => {
    await services.ingestion.storeChunks(attempt, 1, []);
    await services.ingestion.succeed(attempt, READY);
  }),
  failed: documentsThat((attempt) => services.ingestion.fail(attempt, 'corrupt', 'no')),
};

const jobs = async () => (await pool.query('select key from graphile_worker._private_jobs')).rows;

test.each(Object.keys(KINDS).flatMap((end) => (['lost', 'kept'] as const).map((fate): [string, Fate] => [end, fate])))(
  'a record becomes %s, and its job ends, whichever commit of its worker is %s in a crash',
  async (end, fate) => {
    const { create, handlers, status } = KINDS[end]!;
    for (let target = 1; ; target += 1) {
      points = undefined;
      const id = await create();
      points = new CommitPoints(target, fate, { crash, writeLog });
      const stop = await startLane(handlers);
      const hasEnded = () =>
        expect.poll(async () => [await status(id), await jobs()], { timeout: 30_000 }).toEqual([end, []]);
      await hasEnded();
      await points.crash;
      await hasEnded();
      await stop();
      if (points.crash === undefined) break;
    }
    // The fetch, the claim and the end at least.
    expect(points.count).toBeGreaterThanOrEqual(3);
  },
);
