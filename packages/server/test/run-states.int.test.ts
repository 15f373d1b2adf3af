// large: starts and kills whole services
/** The states of a run while it is processed, on a real database, without a worker: each test plays the workers. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PostgresNotifications } from '../src/database/notifications-postgres.ts';
import type { RunRecord } from '../src/database/tables.ts';
import type { RunOutcome } from '@quire/process/outcome';
import { RunProcessing, RunSuperseded } from '../src/domain/runs/processing.ts';
import { RunReaper } from '../src/domain/runs/reaper.ts';
import { RunService } from '../src/domain/runs/service.ts';
import { WorkspaceErasure } from '../src/domain/workspaces/erasure.ts';
import { WorkspaceService } from '../src/domain/workspaces/service.ts';
import { GraphileJobQueue } from '../src/queue/graphile-queue.ts';
import { FilesystemStore } from '../src/storage/filesystem-store.ts';
import { storageKeys } from '../src/storage/layout.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';

const HOUR_MS = 3_600_000;
const OUTCOME: RunOutcome = { files: [], usage: { inputTokens: 0, outputTokens: 0, pageCount: 0 } };
const SUCCESS = { outcome: OUTCOME, error: null };
const FAILURE = { outcome: OUTCOME, error: { type: 'corrupt', message: 'The file is dam\0aged' } };

let database: TestDatabase;
let notifications: PostgresNotifications;
let directory: string;
let store: FilesystemStore;
let queue: GraphileJobQueue;
let runs: RunService;
let processing: RunProcessing;
let reaper: RunReaper;
let workspaces: WorkspaceService;
let ws: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const logger = pino({ level: 'silent' });
  notifications = await PostgresNotifications.connect({ connection: database.connectionString, logger });
  directory = await mkdtemp(path.join(tmpdir(), 'quire-runs-'));
  store = await FilesystemStore.open(path.join(directory, 'store'));
  queue = new GraphileJobQueue(db);
  const shared = { database: db, queue, store, notifications, deadlineMs: 900_000, retentionMs: 24 * HOUR_MS };
  processing = new RunProcessing(shared);
  reaper = new RunReaper({ ...shared, processing });
  runs = new RunService({
    ...shared,
    inspectUpload: () => Promise.resolve({ format: 'txt', contentType: 'text/plain', isArchive: false }),
    checkBlocks: () => Promise.resolve([]),
    maxFiles: 100,
    onBatchFailed: () => undefined,
  });
});
beforeEach(async () => {
  workspaces = new WorkspaceService({ database: database.db, queue, onDeleted: () => undefined });
  ws = (await workspaces.create('w')).id;
});
afterAll(async () => {
  await notifications.close();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

async function upload(name = 'a.txt') {
  const file = path.join(directory, randomUUID());
  await writeFile(file, 'text');
  return { path: file, name, contentType: null, sizeBytes: 4, sha256: 'a'.repeat(64) };
}

const create = async (staged = false): Promise<RunRecord> =>
  runs.create(ws, { blocks: {}, uploads: staged ? [] : [await upload()], staged });
const find = async (id: string): Promise<RunRecord> => (await runs.findById(ws, id))!;
const claim = async (run: RunRecord) => (await processing.claim(ws, run.id))!;
const age = (run: RunRecord, column: string, ms: number) =>
  database.pool.query(`update runs set ${column} = now() - $2 * interval '1 millisecond' where id = $1`, [run.id, ms]);
const jobs = async (run: RunRecord) => (await queue.states([`run:${run.id}`])).get(`run:${run.id}`);
const forgetJob = (run: RunRecord) =>
  database.pool.query('delete from graphile_worker._private_jobs where key = $1', [`run:${run.id}`]);
const lockJob = (run: RunRecord) =>
  database.pool.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w' where key = $1`, [
    `run:${run.id}`,
  ]);
const events = async (run: RunRecord): Promise<unknown[]> =>
  (
    await database.pool.query<{ data: { status: string } }>(`select data from events where data->>'runId' = $1`, [
      run.id,
    ])
  ).rows.map(({ data }) => data.status);

test('an attempt that another one overtook can end nothing', async () => {
  const run = await create();
  const first = await claim(run);
  const second = await claim(run);
  await expect(processing.finish(first, FAILURE)).rejects.toThrow(RunSuperseded);
  expect(await processing.progress(first, 0.5)).toBe(false);
  await processing.release(first);
  expect((await find(run.id)).status).toBe('running');
  await processing.finish(second, SUCCESS);
  await expect(processing.finish(second, FAILURE)).rejects.toThrow(RunSuperseded);
  expect([(await find(run.id)).status, await events(run)]).toEqual(['done', ['done']]);
  expect(await processing.claim(ws, run.id)).toBeUndefined();
});

test('the worker of a run that is cancelled or deleted is aborted, and its writes have no effect', async () => {
  const takings = [(id: string) => runs.cancel(ws, id), (id: string) => runs.remove(ws, id)];
  for (const take of takings) {
    const run = await create();
    const attempt = await claim(run);
    const { lost, stop } = processing.watch(attempt);
    await take(run.id);
    await expect.poll(() => lost.aborted).toBe(true);
    stop();
    expect(lost.reason).toBeInstanceOf(RunSuperseded);
    await expect(processing.finish(attempt, SUCCESS)).rejects.toThrow(RunSuperseded);
  }
});

test('a run that was given back is queued, and its next attempt ends it', async () => {
  const run = await create();
  await processing.release(await claim(run));
  expect(await find(run.id)).toMatchObject({ status: 'queued', attempt_token: null, deadline_at: null, progress: 0 });
  await processing.finish(await claim(run), FAILURE);
  expect(await find(run.id)).toMatchObject({
    status: 'failed',
    error_type: 'corrupt',
    error_message: 'The file is damaged',
    outcome: OUTCOME,
    attempts: 1,
  });
});

test('a run whose attempts were interrupted 20 times is given up', async () => {
  const run = await create();
  for (let attempt = 1; attempt <= 20; attempt += 1) expect(await claim(run)).toBeDefined();
  expect(await processing.claim(ws, run.id)).toBeUndefined();
  expect(await find(run.id)).toMatchObject({ status: 'failed', error_type: 'internal' });
});

test('an overdue run whose worker hangs fails with timeout', async () => {
  const run = await create();
  const attempt = await claim(run);
  await lockJob(run);
  await age(run, 'deadline_at', 30_000);
  await reaper.run();
  expect((await find(run.id)).status).toBe('running');
  await age(run, 'deadline_at', 61_000);
  await reaper.run();
  expect(await find(run.id)).toMatchObject({ status: 'failed', error_type: 'timeout' });
  await expect(processing.finish(attempt, SUCCESS)).rejects.toThrow(RunSuperseded);
  expect(await events(run)).toEqual(['failed']);
});

test('a run that lost its job gets another one at once, waiting or running, until it has ended', async () => {
  const run = await create();
  await forgetJob(run);
  expect(await reaper.run()).toBe(1);
  expect(await jobs(run)).toBe('waiting');
  const attempt = await claim(run);
  await forgetJob(run);
  expect(await reaper.run()).toBe(1);
  expect(await jobs(run)).toBe('waiting');
  await processing.finish(attempt, SUCCESS);
  await forgetJob(run);
  expect(await reaper.run()).toBe(0);
});

test('a run that is not submitted expires after 24 hours, and no earlier', async () => {
  const run = await create(true);
  expect(run.expires_at!.getTime() - run.created_at.getTime()).toBeCloseTo(24 * HOUR_MS, -5);
  await reaper.run();
  expect((await find(run.id)).status).toBe('idle');
  await age(run, 'expires_at', 1);
  await reaper.run();
  expect(await find(run.id)).toMatchObject({ status: 'failed', error_type: 'expired' });
  expect(await events(run)).toEqual(['failed']);
});

test('inputs and outputs of ended runs are deleted once they are due, also after a long pause of the reaper', async () => {
  const due = await Promise.all(Array.from({ length: 3 }, () => create()));
  const young = await create();
  for (const run of [...due, young]) {
    await store.put(storageKeys.runOutput(run, 'token/1'), Buffer.from('output'));
    await processing.finish(await claim(run), SUCCESS);
  }
  for (const run of due) await age(run, 'expires_at', 72 * HOUR_MS);
  const folder = (run: RunRecord): string =>
    path.join(directory, 'store/objects', storageKeys.run(run.workspace_id, run.id));
  await Promise.all([reaper.run(), reaper.run()]);
  for (const run of due) {
    const { status, outcome, outputs_deleted_at: deletedAt, files } = await find(run.id);
    expect([status, outcome, files.length, existsSync(folder(run))]).toEqual(['done', null, 1, false]);
    expect(deletedAt!.getTime()).toBeGreaterThan(Date.now() - 60_000);
  }
  expect([(await find(young.id)).outcome, existsSync(folder(young))]).toEqual([OUTCOME, true]);
});

test('an idempotency key returns its run also after the outputs are deleted', async () => {
  const request = async () => ({ blocks: {}, uploads: [await upload()], staged: false, idempotencyKey: 'k' });
  const run = await runs.create(ws, await request());
  await processing.finish(await claim(run), SUCCESS);
  await age(run, 'expires_at', 1);
  await reaper.run();
  const again = await runs.create(ws, await request());
  expect([again.id, again.outcome]).toEqual([run.id, null]);
});

test('an erased workspace leaves no run and no file of one', async () => {
  const run = await create();
  await workspaces.delete(ws);
  await new WorkspaceErasure({ database: database.db }).erase(ws);
  await store.deletePrefix(storageKeys.workspace(ws));
  expect((await database.pool.query('select from runs where id = $1', [run.id])).rowCount).toBe(0);
  expect(await readdir(path.join(directory, 'store/objects/workspaces'))).not.toContain(ws);
});
