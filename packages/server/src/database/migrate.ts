/**
 * Brings the database to this version's schema: the numbered SQL files of `migrations/`, forward only, each in a
 * transaction of its own and never changed after it landed, then graphile-worker's tables. An advisory lock makes
 * processes that start at once wait for each other.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMigrations } from 'graphile-worker';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from '../logger.ts';
import { graphileLogger } from './graphile-logger.ts';

/** The database cannot be used by this version; the message says why. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface Migration {
  name: string;
  sha256: string;
  sql: string;
}

interface AppliedMigration {
  name: string;
  sha256: string;
}

/** The same from `src/database` and from `dist/database`. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
const OLDEST_SERVER = 140_000;
/** "migrate" in ASCII. */
const MIGRATION_LOCK = '30796665482998885';

export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), 'utf8');
      return { name, sha256: createHash('sha256').update(sql).digest('hex'), sql };
    }),
  );
}

/** Returns the migrations that are not applied yet. Throws if the applied ones are not the first of the known ones. */
export function pendingMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  for (const [position, { name, sha256 }] of applied.entries()) {
    const migration = known.find((candidate) => candidate.name === name);
    if (migration === undefined) {
      throw new MigrationError(
        `The database has the migration ${name}, which this version of Quire does not know: start a newer one`,
      );
    }
    if (migration.sha256 !== sha256)
      throw new MigrationError(`The migration ${name} was changed after it had been applied`);
    if (known[position] !== migration) {
      throw new MigrationError(
        `The migration ${known[position]?.name} comes before ${name}, which was already applied`,
      );
    }
  }
  return known.slice(applied.length);
}

async function checkServer(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  const [server] = rows;
  if (server === undefined || server.number < OLDEST_SERVER) {
    throw new MigrationError(`PostgreSQL 14 or newer is needed; the server is ${server?.version}`);
  }
}

async function apply(client: PoolClient, { name, sha256, sql }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function migrateLocked(client: PoolClient, folder: string, logger: Logger): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<AppliedMigration>('select name, sha256 from schema_migrations order by name');
  const pending = pendingMigrations(await readMigrations(folder), rows);
  for (const migration of pending) {
    await apply(client, migration);
    // A new database receives all of them, which says nothing.
    if (rows.length > 0) logger.info({ migration: migration.name }, 'migrated the database');
  }
  if (rows.length === 0) logger.info({ migrations: pending.length }, 'created the schema of the database');
}

/** Needs two connections of the pool. */
export async function migrateDatabase(pool: Pool, logger: Logger, folder: string = migrationsFolder): Promise<void> {
  const client = await pool.connect();
  try {
    await checkServer(client);
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await migrateLocked(client, folder, logger);
    await runMigrations({ pgPool: pool, logger: graphileLogger(logger) });
    await client.query(`select pg_advisory_unlock(${MIGRATION_LOCK})`);
    client.release();
  } catch (error) {
    // Closing the connection releases the lock in any state of the transaction.
    client.release(true);
    throw error;
  }
}
