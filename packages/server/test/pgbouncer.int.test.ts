// large: starts whole services
/** The service behind PgBouncer: session mode works, transaction mode is refused. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectDatabase } from '../src/database/connect.ts';
import { createLogger } from '../src/logger.ts';
import { createCollection, createDocument, createWorkspace } from './factories.ts';
import { hasPgBouncer, startPgBouncer, type PgBouncer } from './pgbouncer.ts';
import { createTestDatabase } from './postgres.ts';
import { startTestService } from './server.ts';

const logger = createLogger({ level: 'silent' });
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach((context) => {
  if (!hasPgBouncer()) context.skip('pgbouncer is not installed');
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function bouncer(settings: Record<string, string>): Promise<PgBouncer> {
  const database = await createTestDatabase();
  cleanups.push(() => database.drop());
  const started = await startPgBouncer(database.connectionString, settings);
  cleanups.push(() => started.stop());
  return started;
}

test('in session mode documents become searchable', async () => {
  const { connectionString } = await bouncer({ pool_mode: 'session' });
  const service = await startTestService({ QUIRE_DATABASE_URL: connectionString });
  cleanups.push(() => service.stop());
  const collection = await createCollection(service, await createWorkspace(service));
  expect(await createDocument(service, collection)).toMatchObject({ status: 'ready' });
});

test.each(['', 'options'])(
  'in session mode connections have their parameters (ignore_startup_parameters=%s)',
  async (ignored) => {
    const { connectionString } = await bouncer({ pool_mode: 'session', ignore_startup_parameters: ignored });
    const handle = connectDatabase({
      connection: connectionString,
      poolSize: 1,
      applicationName: 'test',
      statementTimeoutMs: 12_345,
      asynchronousCommit: true,
      logger,
    });
    cleanups.push(() => handle.close());
    const { rows } = await sql`select current_setting('statement_timeout') as timeout,
      current_setting('synchronous_commit') as commits, current_setting('enable_seqscan') as scans`.execute(handle.db);
    expect(rows).toEqual([{ timeout: '12345ms', commits: 'off', scans: 'off' }]);
  },
);

test('in session mode a long statement is not treated as a lost connection', async () => {
  const { connectionString } = await bouncer({ pool_mode: 'session' });
  const handle = connectDatabase({
    connection: connectionString,
    poolSize: 1,
    applicationName: 'test',
    watch: { intervalMs: 50, suspectAfterMs: 100 },
    logger,
  });
  cleanups.push(() => handle.close());
  const { rows } = await sql<{ slept: string }>`select pg_sleep(1.5)::text as slept`.execute(handle.db);
  expect(rows).toEqual([{ slept: '' }]);
});

test.each(['transaction', 'statement'])('%s mode is refused with the reason', async (mode) => {
  const { connectionString } = await bouncer({ pool_mode: mode });
  const outcome = startTestService({ QUIRE_DATABASE_URL: connectionString }).then((service) => service.stop());
  await expect(outcome).rejects.toThrow(
    'Settings:\n  QUIRE_DATABASE_URL: a pooler shares the sessions of PostgreSQL between transactions. ' +
      'Set PgBouncer to pool_mode=session, or connect to PostgreSQL directly',
  );
});
