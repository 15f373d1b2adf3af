/** Jobs end in the transaction of the state that they bring, for every kind of record; a lost claim ends none. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { IndexBuilds } from '../src/domain/collections/index-builds.ts';
import { IndexReaper } from '../src/domain/collections/reaper.ts';
import { deleteImported } from '../src/domain/connectors/forget-documents.ts';
import { ArchiveIngestion } from '../src/domain/documents/archive-ingestion.ts';
import { createBatch } from '../src/domain/documents/batches/batched-inserts.ts';
import { RunProcessing } from '../src/domain/runs/processing.ts';
import { RunService } from '../src/domain/runs/service.ts';
import { WorkspaceErasure } from '../src/domain/workspaces/erasure.ts';
import type { JobClaim, JobName } from '../src/queue/job-queue.ts';
import { fetchJobs } from '../src/queue/job-statements.ts';
import { FilesystemStore } from '../src/storage/filesystem-store.ts';
import { Engine } from './connectors/engine.ts';
import { DEADLINE_MS, newRecord, onBatchFailed, openDocumentServices } from './document-services.ts';
import type { TestDatabase } from './postgres.ts';

const READY = { language: 'en', title: null, pageCount: null, warnings: [], chunkCounts: new Map([[1, 1]]) };
const SUCCESS = { outcome: { files: [], usage: { inputTokens: 0, outputTokens: 0, pageCount: 0 } }, error: null };
const TABLES = ['documents', 'runs', 'connector_syncs', 'collection_indexes', 'workspaces'];

const services = await openDocumentServices();
const { database, notifications, queue, workspaces, collections, ingestion, ws, col } = services;
const { db } = database;
const folder = await mkdtemp(path.join(tmpdir(), 'quire-job-ends-'));
const store = await FilesystemStore.open(path.join(folder, 'store'));
const backlogs = services.newBacklogs();
await logWrites(database);
beforeEach(() => database.pool.query('truncate graphile_worker._private_jobs, writes'));
afterAll(async () => {
  await services.close();
  await rm(folder, { recursive: true, force: true });
});

/** Records which transactions write to records and remove jobs. */
async function logWrites({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    create table writes (place text, operation text, xid xid8 default pg_current_xact_id());
    create function log_write() returns trigger language plpgsql as $$ begin
      insert into writes values (tg_table_name, tg_op); return null; end $$;
    create trigger log_write after delete on graphile_worker._private_jobs for each row execute function log_write()`);
  for (const table of TABLES)
    await pool.query(
      `create trigger log_write after update or delete on ${table} for each row execute function log_write()`,
    );
}

/** The tables that the transactions wrote to which removed a job, sorted; one entry for each of them. */
async function writtenWithJobs({ pool }: TestDatabase = database): Promise<string[][]> {
  const { rows } = await pool.query<{ places: string[] }>(
    `select array_agg(distinct place order by place) filter (where place <> '_private_jobs') as places
     from writes group by xid having bool_or(place = '_private_jobs' and operation = 'DELETE')`,
  );
  return rows.map(({ places }) => places);
}

const jobCount = async ({ pool }: TestDatabase = database) =>
  (await pool.query('select from graphile_worker._private_jobs')).rowCount;

async function fetchJob(name: JobName, { db: executor }: TestDatabase = database): Promise<JobClaim> {
  const [job] = await fetchJobs(executor, 'lane', [name], 1);
  const { id, attempts, runAt, key, epoch } = job!;
  return { jobId: id, laneId: 'lane', attempt: attempts, runAt, keyed: key !== null, epoch };
}

async function claimDocument(change: (job: JobClaim) => JobClaim = (job) => job, isArchive = false) {
  const created = { ...newRecord(ws, col), is_archive: isArchive };
  const [record] = await createBatch({ database: db, queue, backlogs }, [created]);
  const job = await fetchJob('ingest-small-document');
  return (await ingestion.claim(ws, record!.id, 1, change(job)))!;
}

test('a document that becomes ready, also together with others', async () => {
  const attempts = [await claimDocument(), await claimDocument()];
  await Promise.all(attempts.map((attempt) => ingestion.succeed(attempt, READY)));
  expect([await writtenWithJobs(), await jobCount()]).toEqual([[['documents']], 0]);
});

test('a document that fails', async () => {
  await ingestion.fail(await claimDocument(), 'corrupt', 'no');
  expect([await writtenWithJobs(), await jobCount()]).toEqual([[['documents']], 0]);
});

test('an archive whose members are stored', async () => {
  const archives = new ArchiveIngestion({ database: db, queue, notifications, store });
  const file = path.join(folder, randomUUID());
  await writeFile(file, 'text');
  const member = { archivePath: 'a', name: 'a', path: file, sizeBytes: 4, sha256: '', failure: null };
  await archives.storeMembers(await claimDocument(undefined, true), [
    { ...member, format: 'txt', contentType: 'text/plain' },
  ]);
  // The job of the member is left.
  expect([await writtenWithJobs(), await jobCount()]).toEqual([[['documents']], 1]);
});

test('a run', async () => {
  const runs = new RunService({
    database: db,
    queue,
    store,
    notifications,
    inspectUpload: () => Promise.resolve({ format: 'txt', contentType: 'text/plain', isArchive: false }),
    checkBlocks: () => Promise.resolve([]),
    maxFiles: 100,
    retentionMs: DEADLINE_MS,
    onBatchFailed,
  });
  const processing = new RunProcessing({ database: db, notifications, deadlineMs: DEADLINE_MS, retentionMs: 1 });
  const file = path.join(folder, randomUUID());
  await writeFile(file, 'text');
  const upload = { path: file, name: 'a.txt', contentType: null, sizeBytes: 4, sha256: '' };
  const { id } = await runs.create(ws, { blocks: {}, uploads: [upload], staged: false });
  const late = (await processing.claim(ws, id, await fetchJob('process-run')))!;
  const attempt = (await processing.claim(ws, id, late.job))!;
  await expect(processing.finish(late, SUCCESS)).rejects.toThrow('went on without this attempt');
  expect(await jobCount()).toBe(1);
  await processing.finish(attempt, SUCCESS);
  expect([await writtenWithJobs(), await jobCount()]).toEqual([[['runs']], 0]);
});

test('a slice of a synchronisation, and its last one', async () => {
  const engine = await Engine.start();
  await logWrites(engine.database);
  engine.source.put('a.txt', 'a');
  await engine.connect();
  const sync = await engine.begin();
  for (let status = 'running'; status === 'running'; { status } = await engine.read(sync.id)) {
    await engine.database.pool.query('update graphile_worker._private_jobs set run_at = now()');
    const job = await fetchJob('sync-connector', engine.database);
    expect(await engine.slice(sync.id, { sliceMs: 0 }, undefined, job)).toBe('recorded');
  }
  const written = await writtenWithJobs(engine.database);
  expect(written.length).toBeGreaterThan(1);
  // A slice that is followed by another one ends with the job of the next.
  expect(new Set(written.map(String))).toEqual(new Set(['null', 'connector_syncs']));
  await engine.stop();
});

test('a re-index that is finished or failed, and one without a job is queued again', async () => {
  const builds = new IndexBuilds({ database: db, queue, onBatchFailed });
  const { id } = (await collections.create(ws, { name: 'reindexed' })).record;
  await collections.reindex(ws, id);
  await database.pool.query(`delete from graphile_worker._private_jobs`);
  const reaper = new IndexReaper({ database: db, queue });
  expect([await reaper.run(), await reaper.run()]).toEqual([1, 0]);
  await database.pool.query('truncate writes');
  await builds.fail((await builds.find(id, 2))!, 'no', await fetchJob('rebuild-index'));
  await collections.reindex(ws, id);
  await builds.cutOver((await builds.find(id, 3))!, await fetchJob('rebuild-index'));
  expect(await writtenWithJobs()).toEqual([['collection_indexes'], ['collection_indexes']]);
  expect(await reaper.run()).toBe(0);
});

test('the end of a workspace and of the documents of a connector', async () => {
  const { id } = await workspaces.create('erased');
  await workspaces.delete(id);
  await new WorkspaceErasure({ database: db }).erase(id, await fetchJob('purge-workspace'));
  const connector = { workspaceId: ws, collectionId: col, connectorId: randomUUID() };
  await queue.enqueue(db, 'delete-connector-documents', connector);
  await deleteImported(db, notifications, connector, await fetchJob('delete-connector-documents'));
  // The second pass of the erasure is left, and no record shows that a connector's documents are being deleted.
  expect([await writtenWithJobs(), await jobCount()]).toEqual([expect.arrayContaining([['workspaces'], null]), 1]);
});

test.each([
  ['another lane', (job: JobClaim) => ({ ...job, laneId: 'other' })],
  ['another attempt', (job: JobClaim) => ({ ...job, attempt: 2 })],
  ['an epoch before a crash', (job: JobClaim) => ({ ...job, epoch: 'before' })],
])('the claim of %s ends no job', async (_name, change) => {
  await ingestion.succeed(await claimDocument(change), READY);
  expect([await writtenWithJobs(), await jobCount()]).toEqual([[], 1]);
});
