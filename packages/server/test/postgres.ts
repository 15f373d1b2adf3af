/**
 * Databases for tests: one PostgreSQL per run, with a migrated template and a clone of it for each test file. The
 * server does not sync to disk, so tests of durability use a server of their own.
 */
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { Client, type Pool } from 'pg';
import pino from 'pino';
import { connectDatabase } from '../src/database/connect.ts';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { migrateDatabase, readMigrations } from '../src/database/migrate.ts';
import type { Database } from '../src/database/tables.ts';

export interface TestDatabase {
  db: Kysely<Database>;
  pool: Pool;
  connectionString: string;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

const logger = pino({ level: 'silent' });
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

async function findServer(): Promise<string> {
  const external = process.env['QUIRE_TEST_DATABASE_URL'];
  if (external !== undefined) return external;
  const folder = process.env['QUIRE_TEST_POSTGRES_FOLDER'];
  if (folder === undefined) throw new Error('Test databases need vitest with test/global-setup.ts');
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), logger, settings });
  const { connectionString } = server;
  await server.leave();
  return connectionString;
}

function withDatabase(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer<T>(server: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function migrateTemplate(server: string, name: string): Promise<void> {
  const handle = connectDatabase({
    connection: withDatabase(server, name),
    poolSize: 2,
    applicationName: 'quire test template',
    logger,
  });
  try {
    await migrateDatabase(handle.pool, logger);
  } finally {
    await handle.close();
  }
}

/** Returns the migrated template database. The first process creates it and marks it when it is complete. */
async function ensureTemplate(server: string): Promise<string> {
  const hash = createHash('sha256');
  for (const { sha256 } of await readMigrations()) hash.update(sha256);
  const name = `quire_template_${hash.digest('hex').slice(0, 16)}`;
  await onServer(server, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('quire test template'))`);
    const found = await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name]);
    if (found.rowCount === 1) return;
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    await migrateTemplate(server, name);
    await client.query(`alter database ${name} is_template true`);
  });
  return name;
}

interface Source {
  server: string;
  template: string;
}

let source: Promise<Source> | undefined;

async function prepareSource(): Promise<Source> {
  const server = await findServer();
  return { server, template: await ensureTemplate(server) };
}

/** Creates a migrated database. Call `drop` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  source ??= prepareSource();
  const { server, template } = await source;
  const name = `quire_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  // Copying the files of 8 MB takes 40 ms; the default strategy writes each page to the log first and takes 60 ms.
  await onServer(server, (client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  const connectionString = withDatabase(server, name);
  const handle = connectDatabase({ connection: connectionString, poolSize: 10, applicationName: name, logger });
  return {
    db: handle.db,
    pool: handle.pool,
    connectionString,
    drop: async () => {
      await handle.close();
      await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}
