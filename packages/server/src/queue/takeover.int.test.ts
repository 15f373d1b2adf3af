// large: waits for heartbeats of killed processes
/**
 * Jobs of a process that dies or hangs are taken over. The tests set the time of the last heartbeat instead of waiting.
 * The queue runs a job at least once: after a suspended process resumes, it and its successor may both run the handler.
 * A handler therefore fences its effects: `domain/documents` writes a new `documents.attempt_token` when an attempt
 * starts, and every later change of the document is made `where attempt_token = <mine>`, so the late run changes no row
 * and throws. These tests cover only the job itself.
 */
import { EventEmitter, once } from 'node:events';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { spawnProcess, type SpawnedProcess } from '../../test/processes/spawn.ts';
import { createPool } from '../database/connect.ts';
import { PostgresNotifications } from '../database/notifications-postgres.ts';
import { GraphileJobQueue } from './graphile-queue.ts';
import { hasLiveInstances, Instance } from './instance.ts';
import { Sweeper } from './sweeper.ts';
import { Worker } from './worker.ts';

const logger = pino({ level: 'silent' });
/** Heartbeat timeout that no live process exceeds, even on a slow machine. */
const silenceMs = 600_000;
let database: TestDatabase;
let queue: GraphileJobQueue;
const cleanups: (() => Promise<unknown>)[] = [];
const gate = new EventEmitter();
const attempts: number[] = [];
const exhausted: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  queue = new GraphileJobQueue(database.db);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate graphile_worker._private_jobs, instances'));
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  attempts.length = 0;
  exhausted.length = 0;
});

async function onExhausted(_name: string, _payload: unknown, error: Error): Promise<void> {
  exhausted.push(error.message);
}

async function handler(_payload: unknown, { attempt }: { attempt: number }): Promise<void> {
  const opened = once(gate, 'open');
  attempts.push(attempt);
  await opened;
}

/** A worker and a sweeper in this process, whose jobs wait for the gate. */
async function startSuccessor(): Promise<void> {
  const { db, connectionString: connection } = database;
  const pool = createPool({ connection, poolSize: 6, applicationName: 'successor', logger });
  const notifications = await PostgresNotifications.connect({ connection, logger });
  const instance = await Instance.start({ db, role: 'worker', logger, heartbeatMs: 50 });
  const handlers = { 'sweep-index': handler };
  const worker = await Worker.start({ pool, notifications, instance, logger, concurrency: 4, handlers, onExhausted });
  const sweeper = new Sweeper({ db, logger, onExhausted, intervalMs: 50, silenceMs });
  cleanups.push(async () => {
    await sweeper.stop();
    await worker.stop();
    await instance.stop();
    await notifications.close();
    await pool.end();
  });
}

function startProcess(): SpawnedProcess {
  const spawned = spawnProcess('worker', database.connectionString);
  cleanups.push(() => spawned.kill());
  return spawned;
}

/** The attempts of the successor, once a process and its locks are as old as if the time of silence had passed. */
async function attemptsAfter({ child }: SpawnedProcess): Promise<number[]> {
  await database.pool.query(
    `with silent as (
       update instances set heartbeat_at = now() - interval '1 hour' where pid = $1 returning worker_pool_ids)
     update graphile_worker._private_jobs set locked_at = now() - interval '1 hour'
     from silent where locked_by = any(worker_pool_ids)`,
    [child.pid],
  );
  return attempts;
}

async function jobCount(): Promise<number> {
  return (await database.pool.query('select from graphile_worker.jobs')).rowCount ?? 0;
}

test('the jobs of a killed process run again in another', async () => {
  const killed = startProcess();
  await queue.enqueue(database.db, 'sweep-index', { collectionId: 'a' });
  await queue.enqueue(database.db, 'sweep-index', { collectionId: 'b' });
  expect([await killed.nextLine(), await killed.nextLine()]).toEqual(['attempt 1', 'attempt 1']);
  await startSuccessor();
  await killed.kill();
  await expect.poll(() => attemptsAfter(killed)).toEqual([2, 2]);
  gate.emit('open');
  await expect.poll(jobCount).toBe(0);
});

test('a job of a living process stays with it, however long it takes', async () => {
  const slow = startProcess();
  await queue.enqueue(database.db, 'sweep-index', { collectionId: 'a' });
  expect(await slow.nextLine()).toBe('attempt 1');
  await startSuccessor();
  await database.pool.query(`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour'`);
  // The successor's sweeps remove this silent instance in the same transaction in which they would take the job.
  await database.pool.query(
    `insert into instances (id, role, hostname, pid, heartbeat_at)
     values (gen_random_uuid(), 'worker', 'h', 1, now() - interval '1 day')`,
  );
  const silent = `select from instances where heartbeat_at < now() - interval '1 hour'`;
  await expect.poll(async () => (await database.pool.query(silent)).rowCount).toBe(0);
  expect(attempts).toEqual([]);
  slow.writeLine('finish');
  expect(await slow.nextLine()).toBe('done 1');
  await expect.poll(jobCount).toBe(0);
});

test('a process that was stopped and wakes neither ends nor removes the job that its successor runs', async () => {
  const stopped = startProcess();
  await queue.enqueue(database.db, 'sweep-index', { collectionId: 'a' });
  expect(await stopped.nextLine()).toBe('attempt 1');
  await startSuccessor();
  stopped.child.kill('SIGSTOP');
  await expect.poll(() => attemptsAfter(stopped)).toEqual([2]);
  stopped.child.kill('SIGCONT');
  stopped.writeLine('finish');
  expect(await stopped.nextLine()).toBe('done 1');
  // Its worker stops only after it has tried to write the end of its job.
  stopped.child.kill('SIGTERM');
  expect(await stopped.nextLine()).toBe('stopped');
  const { rows } = await database.pool.query(
    'select attempts, locked_by is not null as locked, last_error from graphile_worker.jobs',
  );
  expect(rows).toEqual([{ attempts: 2, locked: true, last_error: null }]);
  gate.emit('open');
  await expect.poll(jobCount).toBe(0);
});

test('a job whose process died in its last attempt is reported instead of run again', async () => {
  const killed = startProcess();
  await queue.enqueue(database.db, 'sweep-index', { collectionId: 'a' }, { maxAttempts: 1 });
  expect(await killed.nextLine()).toBe('attempt 1');
  await startSuccessor();
  await killed.kill();
  const reports = async () => (await attemptsAfter(killed)) && exhausted;
  await expect.poll(reports).toEqual(['The process died while it ran this job']);
  await expect.poll(jobCount).toBe(0);
  expect(attempts).toEqual([]);
});

test('a process that receives a stop signal finishes its jobs first', async () => {
  const stopping = startProcess();
  await queue.enqueue(database.db, 'sweep-index', { collectionId: 'a' });
  expect(await stopping.nextLine()).toBe('attempt 1');
  stopping.child.kill('SIGTERM');
  stopping.writeLine('finish');
  expect([await stopping.nextLine(), await stopping.nextLine()]).toEqual(['done 1', 'stopped']);
  expect(await jobCount()).toBe(0);
});

test('a process is alive until it has stopped, or was silent for half a minute', async () => {
  const { db, pool } = database;
  const seen = [await hasLiveInstances(db)];
  const instance = await Instance.start({ db, role: 'api', logger, heartbeatMs: silenceMs });
  seen.push(await hasLiveInstances(db));
  await pool.query("update instances set heartbeat_at = now() - interval '31 seconds'");
  seen.push(await hasLiveInstances(db));
  await instance.beat();
  seen.push(await hasLiveInstances(db));
  await instance.stop();
  seen.push(await hasLiveInstances(db));
  expect(seen).toEqual([false, true, false, true, false]);
});
