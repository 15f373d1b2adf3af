import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { leaveShare, withLogContext } from '../logger.ts';
import { connectDatabase, type DatabaseHandle } from './connect.ts';
import { inShareOf } from './connection-shares.ts';

const logger = pino({ level: 'silent' });
const LOCK = 4711;
let database: TestDatabase;
let handle: DatabaseHandle;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Opens a pool of which workspaces share three connections, one of them as reserve. */
function open(connectTimeoutMs?: number): DatabaseHandle {
  const { connectionString: connection } = database;
  const rest = connectTimeoutMs === undefined ? {} : { connectTimeoutMs };
  return connectDatabase({ connection, poolSize: 5, applicationName: 'shares', logger, ...rest });
}

/** Returns the number of sessions of the pool that wait for the lock. */
async function waitingSessions(): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(
    "select count(*) from pg_stat_activity where application_name = 'shares' and wait_event = 'advisory'",
  );
  return Number(rows[0]?.count);
}

const one = (): Promise<unknown> => sql`select 1`.execute(handle.db);
const locked = (): Promise<unknown> => sql`select pg_advisory_xact_lock(${LOCK})`.execute(handle.db);
const as = <T>(workspaceId: string, work: () => Promise<T>): Promise<T> => withLogContext({ workspaceId }, work);

test('slow statements of one workspace leave connections to others, in and outside of a context', async () => {
  handle = open();
  const holder = await database.pool.connect();
  await holder.query('select pg_advisory_lock($1)', [LOCK]);
  const slow = [1, 2, 3, 4].map(() => as('a', locked));
  const unnamed = inShareOf(handle.db, 'a', locked);
  await expect.poll(waitingSessions).toBe(2);
  await as('b', one);
  await inShareOf(handle.db, 'c', one);
  await one();
  // As for the root key.
  await as('a', () => {
    leaveShare();
    return one();
  });
  expect(await waitingSessions()).toBe(2);
  await holder.query('select pg_advisory_unlock($1)', [LOCK]);
  holder.release();
  await Promise.all([...slow, unnamed]);
  await handle.close();
});

test('a wait for a connection ends as one for the pool itself, and gives nothing back twice', async () => {
  handle = open(200);
  const holder = await database.pool.connect();
  await holder.query('select pg_advisory_lock($1)', [LOCK]);
  const slow = [1, 2].map(() => as('a', locked));
  await expect.poll(waitingSessions).toBe(2);
  await expect(as('a', one)).rejects.toThrow('timeout exceeded when trying to connect');
  await holder.query('select pg_advisory_unlock($1)', [LOCK]);
  holder.release();
  await Promise.all(slow);
  await Promise.all(Array.from({ length: 20 }, () => as('a', one)));
  await handle.close();
});

test('a transaction holds one slot from its begin to its end', async () => {
  handle = open();
  await as('a', () =>
    handle.db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      await Promise.all([as('a', one), as('b', one)]);
    }),
  );
  await Promise.all(Array.from({ length: 10 }, () => as('a', one)));
  await handle.close();
});
