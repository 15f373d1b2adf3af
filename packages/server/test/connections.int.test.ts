// large: starts whole services
/** A process that may need more connections than PostgreSQL has is refused with the number that is needed. */
import { hostname, tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { createLogger } from '../src/logger.ts';
import { newId } from '../src/shared/uuid.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { startTestService } from './server.ts';

/** Number of connections of a process with the default settings. */
const NEEDED = 47;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-connections-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a service and stops it; resolves to the message of a refused start. */
async function start(connectionString: string, settings: Record<string, string> = {}): Promise<string> {
  try {
    const env = { QUIRE_DATABASE_URL: connectionString, ...settings };
    const service = await startTestService(env);
    await service.stop();
    return 'the service started';
  } catch (error) {
    return (error as Error).message;
  }
}

async function databaseOf(connections: number): Promise<TestDatabase> {
  const database = await createTestDatabase();
  cleanups.push(() => database.drop());
  const name = sql.id(path.basename(new URL(database.connectionString).pathname));
  await sql`alter database ${name} connection limit ${sql.lit(connections)}`.execute(database.db);
  return database;
}

/** Adds the row of a process that started before. */
async function addInstance({ db }: TestDatabase, host: string, pid: number): Promise<void> {
  const row = { id: newId(0), role: 'all', hostname: host, pid, connections: 30 };
  await db.insertInto('instances').values(row).execute();
}

test('max_connections that is too small is refused with the value that is needed', async () => {
  const folder = await newFolder();
  const logger = createLogger({ level: 'silent' });
  const settings = { max_connections: '12', fsync: 'off' };
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), logger, settings });
  cleanups.push(() => server.stop());
  const others = 1; // the keeper of the server
  const message = await start(server.connectionString);
  expect(message).toBe(
    `Settings:\n  QUIRE_DATABASE_URL: max_connections of PostgreSQL permits 9 connections, and this process may need ` +
      `${NEEDED}, besides ${others} of other programs. Set it to ${NEEDED + others + 3} or more, or lower ` +
      `QUIRE_WORKER_CONCURRENCY`,
  );
});

test('the processes that started before count, unless they were killed', async () => {
  const database = await databaseOf(NEEDED + 10);
  const storage = { QUIRE_STORAGE_URL: await newFolder() };
  await addInstance(database, 'another machine', process.pid);
  expect(await start(database.connectionString, storage)).toBe(
    `Settings:\n  QUIRE_DATABASE_URL: the connection limit of the database permits ${NEEDED + 10} connections, and ` +
      `this process and 1 more may need ${NEEDED + 30}. Set it to ${NEEDED + 30} or more, or lower ` +
      'QUIRE_WORKER_CONCURRENCY',
  );
  await sql`update instances set hostname = ${hostname()}`.execute(database.db);
  expect(await start(database.connectionString, storage)).toBe('the service started');
});

test('fewer jobs at once need fewer connections', async () => {
  const database = await databaseOf(NEEDED - 8);
  const storage = { QUIRE_STORAGE_URL: await newFolder() };
  expect(await start(database.connectionString, storage)).toContain(
    `this process may need ${NEEDED}. Set it to ${NEEDED} or`,
  );
  expect(await start(database.connectionString, { ...storage, QUIRE_WORKER_CONCURRENCY: '1' })).toBe(
    'the service started',
  );
});
