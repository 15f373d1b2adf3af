// large: waits for heartbeats of killed processes
/**
 * PostgreSQL fails below a lane, behind a proxy: every job ends all the same, in the same process. The times are short
 * versions of the real ones; `npm run chaos` does the same to whole services for longer.
 */
import pino from 'pino';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DatabaseProxy, FAULTS } from '../../test/database-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { connectDatabase, createPool } from '../database/connect.ts';
import { PostgresNotifications } from '../database/notifications-postgres.ts';
import { pause } from '@quire/shared/pause';
import { GraphileJobQueue } from './graphile-queue.ts';
import { Instance } from './instance.ts';
import { Worker, type WorkerOptions } from './worker.ts';

const logger = pino({ level: 'silent' });
const OUTAGE_MS = 2_500;
const JOBS = 60;
let database: TestDatabase;
let queue: GraphileJobQueue;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  queue = new GraphileJobQueue(database.db);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate graphile_worker._private_jobs, instances'));
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A lane whose every connection goes through the proxy; each job reads from the database. */
async function startLane(proxy: DatabaseProxy, options: Partial<WorkerOptions> = {}) {
  const connection = proxy.through(database.connectionString);
  const common = { connection, applicationName: 'faults', logger };
  const pool = createPool({ ...common, poolSize: 4, queryTimeoutMs: 1_000, connectTimeoutMs: 1_000 });
  const watch = { intervalMs: 300, suspectAfterMs: 600 };
  const work = connectDatabase({ ...common, poolSize: 4, connectTimeoutMs: 1_000, watch });
  const notifications = await PostgresNotifications.connect({ connection, logger });
  const instance = await Instance.start({ db: work.db, role: 'worker', logger });
  const ran: string[] = [];
  const worker = await Worker.start({
    pool,
    notifications,
    instance,
    logger,
    concurrency: 4,
    graceMs: 5_000,
    onExhausted: async () => undefined,
    handlers: {
      'sweep-index': async ({ collectionId }) => {
        await sql`select pg_sleep(0.02)`.execute(work.db);
        ran.push(collectionId);
      },
    },
    ...options,
  });
  cleanups.push(async () => {
    await worker.stop();
    await instance.stop();
    await notifications.close();
    await work.close();
    await pool.end();
  });
  return { worker, ran, pool };
}

async function startProxy(): Promise<DatabaseProxy> {
  const proxy = await DatabaseProxy.start(database.connectionString);
  cleanups.push(() => proxy.close());
  return proxy;
}

const enqueue = (name: string): Promise<void> => queue.enqueue(database.db, 'sweep-index', { collectionId: name });

async function unfinished(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select payload->>'collectionId' as name from graphile_worker._private_jobs order by id`,
  );
  return rows.map(({ name }) => name);
}

test.each(FAULTS)('under load every job ends after the database connection fails: %s', async (fault) => {
  const proxy = await startProxy();
  const { worker, ran } = await startLane(proxy);
  const names = Array.from({ length: JOBS }, (_, index) => `${fault}-${index}`);
  for (const name of names.slice(0, JOBS / 2)) await enqueue(name);
  await expect.poll(() => ran.length).toBeGreaterThan(4);
  await proxy.fail(fault);
  for (const name of names.slice(JOBS / 2)) await enqueue(name);
  await pause(OUTAGE_MS);
  await proxy.recover();
  await expect.poll(unfinished).toEqual([]);
  expect(new Set(ran)).toEqual(new Set(names));
  expect(worker.status.restarts).toBe(0);
});

test.each(FAULTS)('an idle lane fetches again after the database connection fails: %s', async (fault) => {
  const proxy = await startProxy();
  const { worker, ran } = await startLane(proxy);
  await proxy.fail(fault);
  await pause(OUTAGE_MS);
  if (fault !== 'slow') expect(worker.status.sinceFetchMs).toBeGreaterThan(1_000);
  await proxy.recover();
  await enqueue('after');
  await expect.poll(() => ran).toEqual(['after']);
  await expect.poll(unfinished).toEqual([]);
});

test('jobs that are locked for a lane which does not work on them are freed and run', async () => {
  const proxy = await startProxy();
  const { ran } = await startLane(proxy);
  await enqueue('first');
  await expect.poll(() => ran).toEqual(['first']);
  const [instance] = await database.db.selectFrom('instances').select('worker_pool_ids').execute();
  await enqueue('lost');
  await expect.poll(unfinished).toEqual([]);
  await database.db.transaction().execute(async (transaction) => {
    await queue.enqueue(transaction, 'sweep-index', { collectionId: 'orphan' });
    // As a fetch whose answer got lost leaves it.
    await sql`update graphile_worker._private_jobs set attempts = 1, locked_at = now(),
      locked_by = ${instance?.worker_pool_ids[0]}`.execute(transaction);
  });
  await expect.poll(() => ran).toEqual(['first', 'lost', 'orphan']);
  await expect.poll(unfinished).toEqual([]);
});

test('a lane whose fetch never returns is restarted by its watchdog', async () => {
  const proxy = await startProxy();
  const { worker, ran, pool } = await startLane(proxy, { stallMs: 1_000 });
  const { connect } = pool;
  // A connection attempt that neither succeeds nor fails, once.
  pool.connect = () => {
    pool.connect = connect;
    return new Promise<never>(() => undefined);
  };
  await expect.poll(() => worker.status.restarts).toBe(1);
  await enqueue('after');
  await expect.poll(() => ran).toEqual(['after']);
});
