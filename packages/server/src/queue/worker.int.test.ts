// large: waits for heartbeats of killed processes
import { EventEmitter, once, setMaxListeners } from 'node:events';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { createPool } from '../database/connect.ts';
import { PostgresNotifications } from '../database/notifications-postgres.ts';
import { presentWorkspace } from '../logger.ts';
import { GraphileJobQueue } from './graphile-queue.ts';
import { Instance } from './instance.ts';
import type { JobContext } from './job-queue.ts';
import { LANES } from './lanes.ts';
import { reclaimAll } from './locks.ts';
import { Sweeper } from './sweeper.ts';
import { StorageUnavailable } from '../shared/storage-unavailable.ts';
import { Worker, type JobHandlers, type WorkerOptions } from './worker.ts';

const logger = pino({ level: 'silent' });
const job = 'sweep-index';
const collectionId = 'c1';
let database: TestDatabase;
let queue: GraphileJobQueue;
const cleanups: (() => Promise<unknown>)[] = [];
const exhausted: [string, unknown, string][] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  queue = new GraphileJobQueue(database.db);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate graphile_worker._private_jobs, instances'));
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  exhausted.length = 0;
});

const onExhausted = async (name: string, payload: unknown, error: Error): Promise<void> => {
  exhausted.push([name, payload, error.message]);
};

async function startWorker(handlers: JobHandlers, options: Partial<WorkerOptions> = {}): Promise<Worker> {
  const { db, connectionString: connection } = database;
  const pool = createPool({ connection, poolSize: 6, applicationName: 'queue', logger });
  const notifications = await PostgresNotifications.connect({ connection, logger });
  const instance = await Instance.start({ db, role: 'worker', logger });
  const parts = { pool, notifications, instance, logger, onExhausted };
  const worker = await Worker.start({ ...parts, handlers, concurrency: 4, ...options });
  cleanups.push(async () => {
    await worker.stop();
    await instance.stop();
    await notifications.close();
    await pool.end();
  });
  return worker;
}

async function jobRows(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    'select attempts, max_attempts, locked_by is not null as locked, run_at <= now() as due from graphile_worker.jobs order by id',
  );
  return rows;
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  const gate = new EventEmitter();
  const promise = once(gate, 'open').then(() => undefined);
  return { promise, resolve: () => gate.emit('open') };
}

async function cutConnections(): Promise<void> {
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'queue' and datname = current_database()`,
  );
}

function aborted(signal: AbortSignal): Promise<never> {
  setMaxListeners(0, signal);
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
}

test('a job exists if and only if its transaction commits', async () => {
  const ran: string[] = [];
  const done = deferred();
  const failing = database.db.transaction().execute(async (transaction) => {
    await queue.enqueue(transaction, job, { collectionId: 'rolled back' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await database.db.transaction().execute((transaction) => queue.enqueue(transaction, job, { collectionId }));
  await startWorker({
    [job]: async (payload) => {
      ran.push(payload.collectionId);
      done.resolve();
    },
  });
  await done.promise;
  await expect.poll(jobRows).toEqual([]);
  expect(ran).toEqual([collectionId]);
});

test('a workspace without a slot gets one while another holds all of them', async () => {
  const begun: string[] = [];
  const release = deferred();
  const handlers: JobHandlers = {
    'process-run': async ({ workspaceId }) => {
      begun.push(workspaceId);
      await release.promise;
    },
  };
  const enqueue = (workspaceId: string) =>
    queue.enqueue(database.db, 'process-run', { workspaceId, runId: 'r' }, { priority: 7 });
  for (let count = 0; count < 4; count += 1) await enqueue('a');
  await startWorker(handlers, { concurrency: 2, reserve: 2 });
  await expect.poll(() => begun).toEqual(['a', 'a']);
  await enqueue('a');
  for (const workspaceId of ['b', 'b', 'c', 'd']) await enqueue(workspaceId);
  // The second job of b waits as the others of a do, and d waits for a slot.
  await expect.poll(() => begun.toSorted()).toEqual(['a', 'a', 'b', 'c']);
  const waits = await queue.waits(LANES);
  expect(waits.map(({ lane, oldestDueMs, starvedMs }) => [lane, oldestDueMs !== null, starvedMs !== null])).toEqual([
    ['main', true, true],
    ['small-documents', false, false],
    ['connectors', false, false],
  ]);
  release.resolve();
  await expect.poll(jobRows).toEqual([]);
  expect(begun.toSorted()).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c', 'd']);
});

test('a workspace is known by its collection and by the prefix of its objects', async () => {
  const { rows } = await database.pool.query<{ workspace_id: string; id: string }>(
    `with workspace as (insert into workspaces (id, name) values (gen_random_uuid(), 'w') returning id)
     select id as workspace_id, gen_random_uuid() as id from workspace`,
  );
  const [{ workspace_id: workspaceId = '' } = {}] = rows;
  const owners: [string, boolean][] = [];
  const done = deferred();
  const see = (name: string) => async (): Promise<void> => {
    owners.push([name, presentWorkspace() === workspaceId]);
    if (owners.length === 3) done.resolve();
  };
  await queue.enqueue(database.db, 'purge-workspace', { workspaceId });
  await queue.enqueue(database.db, 'purge-content', { prefix: `workspaces/${workspaceId}/runs/r/` });
  await queue.enqueue(database.db, 'sweep-index', { collectionId: 'unknown' });
  await startWorker({
    'purge-workspace': see('purge-workspace'),
    'purge-content': see('purge-content'),
    'sweep-index': see('sweep-index'),
  });
  await done.promise;
  expect(Object.fromEntries(owners)).toEqual({ 'purge-workspace': true, 'purge-content': true, 'sweep-index': false });
});

test('a key keeps one pending job, with the last payload, and its state can be queried', async () => {
  const later = new Date(Date.now() + 3_600_000);
  await queue.enqueue(database.db, job, { collectionId: 'a' }, { key: 'k', runAt: later });
  await queue.enqueue(database.db, job, { collectionId: 'b' }, { key: 'k', runAt: later });
  const { rows } = await database.pool.query('select payload from graphile_worker._private_jobs');
  expect(rows).toEqual([{ payload: { collectionId: 'b' } }]);
  expect(await queue.states(['k', 'other'])).toEqual(new Map([['k', 'waiting']]));
});

test('a job that another of its key replaces while it runs ends in silence, done or failed', async () => {
  const begun = deferred();
  const release = deferred();
  const ran: string[] = [];
  await queue.enqueue(database.db, job, { collectionId: 'done' }, { key: 'a' });
  await queue.enqueue(database.db, job, { collectionId: 'failed' }, { key: 'b' });
  await startWorker({
    [job]: async ({ collectionId: name }) => {
      ran.push(name);
      if (ran.length === 2) begun.resolve();
      await release.promise;
      if (name === 'failed') throw new Error('too late');
    },
  });
  await begun.promise;
  for (const key of ['a', 'b']) await queue.enqueue(database.db, job, { collectionId: 'new' }, { key });
  release.resolve();
  await expect.poll(jobRows).toEqual([]);
  expect(ran.toSorted()).toEqual(['done', 'failed', 'new', 'new']);
  expect(exhausted).toEqual([]);
});

test('an object store that does not answer counts as no attempt, and the job runs again after a delay', async () => {
  const delays: number[] = [];
  let lastAt = 0;
  const done = deferred();
  await queue.enqueue(database.db, job, { collectionId }, { maxAttempts: 2 });
  await startWorker(
    {
      [job]: async (_payload, { attempt }) => {
        delays.push(performance.now() - lastAt);
        lastAt = performance.now();
        expect(attempt).toBe(1);
        if (delays.length < 13) throw new StorageUnavailable('The object store does not answer');
        done.resolve();
      },
    },
    { storageWaitMs: 0.1 },
  );
  await done.promise;
  await expect.poll(jobRows).toEqual([]);
  expect(exhausted).toEqual([]);
  // The delay doubles from 0.1 ms: it is 205 ms before the thirteenth attempt.
  expect(delays.at(-1)).toBeGreaterThan(200);
});

test('jobs run in the order of priority, so a long backlog does not delay the first job of another workspace', async () => {
  const ran: string[] = [];
  const done = deferred();
  for (let pending = 0; pending < 50; pending += 1) {
    await queue.enqueue(database.db, job, { collectionId: `a${pending}` }, { priority: pending });
  }
  await queue.enqueue(database.db, job, { collectionId: 'b0' }, { priority: 0 });
  await queue.enqueue(database.db, job, { collectionId: 'last' }, { priority: 1e9 });
  const handler = async (payload: { collectionId: string }): Promise<void> => {
    ran.push(payload.collectionId);
    if (payload.collectionId === 'last') done.resolve();
  };
  await startWorker({ [job]: handler }, { concurrency: 1 });
  await done.promise;
  expect(ran.slice(0, 3)).toEqual(['a0', 'b0', 'a1']);
  expect(ran).toHaveLength(52);
});

test('a failing job is tried again later; after its last attempt it is reported and removed', async () => {
  const contexts: Pick<JobContext, 'attempt' | 'maxAttempts'>[] = [];
  await queue.enqueue(database.db, job, { collectionId }, { maxAttempts: 2 });
  await startWorker({
    [job]: async (_payload, { attempt, maxAttempts }) => {
      contexts.push({ attempt, maxAttempts });
      throw new Error(`failure ${attempt}`);
    },
  });
  await expect.poll(jobRows).toEqual([{ attempts: 1, max_attempts: 2, locked: false, due: false }]);
  expect(exhausted).toEqual([]);
  await database.pool.query('update graphile_worker._private_jobs set run_at = now()');
  await expect.poll(() => exhausted).toEqual([[job, { collectionId }, 'failure 2']]);
  await expect.poll(jobRows).toEqual([]);
  expect(contexts).toEqual([
    { attempt: 1, maxAttempts: 2 },
    { attempt: 2, maxAttempts: 2 },
  ]);
});

test('a report that fails is repeated by the sweep', async () => {
  await queue.enqueue(database.db, job, { collectionId }, { maxAttempts: 1 });
  await startWorker(
    {
      [job]: async () => {
        throw new Error('broken');
      },
    },
    { onExhausted: async () => Promise.reject(new Error('database away')) },
  );
  await expect.poll(jobRows).toEqual([{ attempts: 1, max_attempts: 1, locked: false, due: false }]);
  const sweeper = new Sweeper({ db: database.db, logger, onExhausted });
  await sweeper.sweep();
  await sweeper.stop();
  expect(exhausted).toEqual([[job, { collectionId }, 'database away']]);
  expect(await jobRows()).toEqual([]);
});

test('stop lets running jobs finish', async () => {
  const started = deferred();
  const finish = deferred();
  await queue.enqueue(database.db, job, { collectionId });
  const worker = await startWorker({
    [job]: async () => {
      started.resolve();
      await finish.promise;
    },
  });
  await started.promise;
  const stopped = worker.stop();
  finish.resolve();
  await stopped;
  expect(await jobRows()).toEqual([]);
});

test('stop hands back jobs that do not finish in time, at once and without counting the attempt', async () => {
  const started = deferred();
  await queue.enqueue(database.db, job, { collectionId });
  const worker = await startWorker(
    {
      [job]: async (_payload, { signal }) => {
        started.resolve();
        await aborted(signal);
      },
    },
    { graceMs: 0 },
  );
  await started.promise;
  await worker.stop();
  expect(await jobRows()).toEqual([{ attempts: 0, max_attempts: 8, locked: false, due: true }]);
});

test('stop hands back jobs whose handler ignores its signal, and another worker runs them', async () => {
  const started = deferred();
  const release = deferred();
  const second = deferred();
  await queue.enqueue(database.db, job, { collectionId });
  const deaf = async (): Promise<void> => {
    started.resolve();
    await release.promise;
  };
  const worker = await startWorker({ [job]: deaf }, { graceMs: 0, abortMs: 0 });
  await started.promise;
  await startWorker({ [job]: async () => second.resolve() });
  await worker.stop();
  await second.promise;
  release.resolve();
  await expect.poll(jobRows).toEqual([]);
});

test('a job whose end could not be written because the connections were cut runs again in the same process', async () => {
  let runs = 0;
  const begun = deferred();
  const done = deferred();
  await queue.enqueue(database.db, job, { collectionId });
  await startWorker({
    [job]: async () => {
      runs += 1;
      begun.resolve();
      if (runs === 2) done.resolve();
      else await cutConnections();
      if (runs === 1) throw new Error('first');
    },
  });
  await begun.promise;
  await database.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_by is null');
  await done.promise;
  await expect.poll(jobRows).toEqual([]);
});

test('a worker whose database connections were cut continues', async () => {
  const done = deferred();
  await startWorker({ [job]: async () => done.resolve() });
  await cutConnections();
  await queue.enqueue(database.db, job, { collectionId });
  await done.promise;
  await expect.poll(jobRows).toEqual([]);
});

test('the only process of a database reclaims every job at once', async () => {
  await queue.enqueue(database.db, job, { collectionId });
  await sql`update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now(), attempts = 1`.execute(
    database.db,
  );
  await sql`insert into instances (id, role, hostname, pid, worker_pool_ids)
    values (gen_random_uuid(), 'all', 'h', 1, array['pool-dead'])`.execute(database.db);
  await reclaimAll(database.db);
  expect(await jobRows()).toEqual([{ attempts: 1, max_attempts: 8, locked: false, due: true }]);
  expect(await database.db.selectFrom('instances').selectAll().execute()).toEqual([]);
});
