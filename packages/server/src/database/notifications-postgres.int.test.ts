import { Client } from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { PostgresNotifications } from './notifications-postgres.ts';

let database: TestDatabase;
let notifications: PostgresNotifications;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { connectionString: connection } = database;
  notifications = await PostgresNotifications.connect({ connection, logger: pino({ level: 'silent' }) });
});
afterEach(() => notifications.close());

function nextCall(topic: string): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = notifications.subscribe(topic, () => {
      unsubscribe();
      resolve();
    });
  });
}

test('a publication reaches listeners of its topic only, also those of another connection', async () => {
  const { connectionString: connection } = database;
  const other = await PostgresNotifications.connect({ connection, logger: pino({ level: 'silent' }) });
  const calls: string[] = [];
  notifications.subscribe('b', () => calls.push('b'));
  const unsubscribe = notifications.subscribe('a', () => calls.push('a, unsubscribed'));
  unsubscribe();
  notifications.subscribe('a', () => calls.push('a'));
  const last = nextCall('end');
  await other.publish(database.db, 'a');
  await other.publish(database.db, 'end');
  await last;
  await other.close();
  expect(calls).toEqual(['a']);
});

test('a publication follows its transaction', async () => {
  const calls: string[] = [];
  notifications.subscribe('rolled back', () => calls.push('rolled back'));
  const last = nextCall('committed');
  const failing = database.db.transaction().execute(async (transaction) => {
    await notifications.publish(transaction, 'rolled back');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await database.db.transaction().execute((transaction) => notifications.publish(transaction, 'committed'));
  await last;
  expect(calls).toEqual([]);
});

test('a failing listener does not keep the others from being called', async () => {
  notifications.subscribe('a', () => {
    throw new Error('mine');
  });
  const called = nextCall('a');
  await notifications.publish(database.db, 'a');
  await called;
});

test('after the connection was lost every listener is called once and hears new publications', async () => {
  const calls: string[] = [];
  notifications.subscribe('a', () => calls.push('a'));
  notifications.subscribe('b', () => calls.push('b'));
  const reconnected = nextCall('c');
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'quire notifications' and datname = current_database()`,
  );
  await reconnected;
  expect(calls).toEqual(['a', 'b']);
  const heard = nextCall('c');
  await notifications.publish(database.db, 'b');
  await notifications.publish(database.db, 'c');
  await heard;
  expect(calls).toEqual(['a', 'b', 'b']);
});

test('a connection that answers and listens no more is replaced', async () => {
  const { connectionString: connection } = database;
  const { query } = Client.prototype;
  const clients: Client[] = [];
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    if (String(args[0]).startsWith('listen')) clients.push(this);
    return Reflect.apply(query, this, args) as unknown;
  } as typeof query;
  const checked = await PostgresNotifications.connect({
    connection,
    logger: pino({ level: 'silent' }),
    pingMs: 50,
    answerMs: 500,
  });
  Client.prototype.query = query;
  await clients[0]?.query('unlisten *');
  let calls = 0;
  checked.subscribe('a', () => (calls += 1));
  await expect
    .poll(async () => {
      await notifications.publish(database.db, 'a');
      return calls;
    })
    .toBeGreaterThan(1);
  await checked.close();
});
