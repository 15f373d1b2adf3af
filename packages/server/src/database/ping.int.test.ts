import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/postgres.ts';
import { createPool } from './connect.ts';
import { pingAnew } from './ping.ts';

test('a database answers a new connection, unless it works on a long statement of Quire', async () => {
  const { connectionString: connection, drop } = await createTestDatabase();
  const pool = createPool({
    connection,
    poolSize: 2,
    applicationName: 'quire test',
    logger: pino({ level: 'silent' }),
  });
  onTestFinished(async () => {
    await pool.end();
    await drop();
  });
  await pingAnew(connection, 50);
  const sleeping = pool.query('select pg_sleep(60)').then(
    () => 'ended',
    () => 'cancelled',
  );
  await expect
    .poll(() => pingAnew(connection, 50).then(() => 'answered', String))
    .toBe('Error: 1 statements run for a long time');
  await pool.query(
    "select pg_cancel_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'",
  );
  expect(await sleeping).toBe('cancelled');
  await pingAnew(connection, 50);
});

test('a database that is away answers no connection', async () => {
  await expect(pingAnew('postgres://quire@127.0.0.1:9/quire')).rejects.toThrow('ECONNREFUSED');
});
