/** The database that the settings name: an external one by URL, or the embedded one in the data directory. */
import { withoutAbsent } from '@quire/shared/without-absent';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Pool } from 'pg';
import type { Kysely } from 'kysely';
import { RESTORE_MARKER } from './backup/restore-marker.ts';
import type { Config } from './config/config.ts';
import { ConfigurationError } from './config/env.ts';
import { connectDatabase, createPool, type DatabaseOptions } from './database/connect.ts';
import { startEmbeddedPostgres, type ServerConnection } from './database/embedded-postgres.ts';
import { migrateDatabase } from './database/migrate.ts';
import { keepsSessions } from './database/sessions.ts';
import type { Database } from './database/tables.ts';
import type { Logger } from './logger.ts';
import { connectionsOf, type ConnectionSettings } from './wiring/connections.ts';

export interface OpenDatabase {
  db: Kysely<Database>;
  pool: Pool;
  connection: string | ServerConnection;
  /** No other service uses this database, so every lock in it was left by a dead process. */
  sole: boolean;
  close(): Promise<void>;
  /** Ends the embedded server at once, for a stop that takes too long. */
  kill(): Promise<void>;
}

/** Minimum number of connections of the embedded server. */
const EMBEDDED_CONNECTIONS = 100;
/** Connections for commands beside the service, and those that PostgreSQL reserves. */
const SPARE_CONNECTIONS = 20;
/** Time that PostgreSQL then has for its fast shutdown, before it ends without one. */
const KILL_GRACE_MS = 1_500;
/** Codes of a wrong address, account, password or database name, and of a server without a free connection. */
const REFUSED = /^(E[A-Z_]+|28...|3D...|53300)$/;

/** Turns a connection error into one that names the setting. Neither contains the password. */
function unreachable(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined || !REFUSED.test(code)) return error;
  return new ConfigurationError(`Settings:\n  QUIRE_DATABASE_URL: ${message}`, { cause: error });
}

export interface OpenDatabaseOptions {
  poolSize: number;
  /** Limit in ms after which PostgreSQL cancels a statement, except for migrations. Default: no limit. */
  statementTimeoutMs?: number;
  /** Limit in ms for a statement that evaluates a filter of a client. */
  filterTimeoutMs?: number;
  /** This process is the service, of which a data directory with the embedded database may have one. Default false. */
  exclusive?: boolean;
  /** Allows a data directory whose restore was interrupted. Default false. */
  restoring?: boolean;
  signal?: AbortSignal;
}

/** Starts the embedded server or attaches to it, if it is used; connects, and brings the schema up to date. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & ConnectionSettings,
  logger: Logger,
  { poolSize, statementTimeoutMs, filterTimeoutMs, exclusive = false, restoring = false, signal }: OpenDatabaseOptions,
): Promise<OpenDatabase> {
  if (!restoring && existsSync(path.join(config.dataDir, RESTORE_MARKER))) {
    throw new ConfigurationError(
      `A restore into ${config.dataDir} was interrupted: run 'npm run restore -- FILE' again, or remove the folder`,
    );
  }
  const embedded =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({
          dataDir: path.join(config.dataDir, 'postgres'),
          logger,
          exclusive,
          settings: {
            max_connections: String(Math.max(EMBEDDED_CONNECTIONS, connectionsOf(config) + SPARE_CONNECTIONS)),
          },
          ...(signal ? { signal } : {}),
        })
      : undefined;
  const connection = embedded?.connection ?? config.databaseUrl ?? '';
  const options = { connection, applicationName: `quire ${config.role}`, logger };
  const handle = connectDatabase({
    ...options,
    poolSize,
    ...withoutAbsent({ statementTimeoutMs, filterTimeoutMs }),
  });
  const close = async (): Promise<void> => {
    await handle.close();
    await embedded?.stop();
  };
  try {
    if (config.databaseUrl !== null) await requireSessions(config.databaseUrl);
    await migrate(options);
  } catch (error) {
    await close();
    throw config.databaseUrl === null ? error : unreachable(error);
  }
  const kill = async (): Promise<void> => embedded?.stop(KILL_GRACE_MS);
  return { db: handle.db, pool: handle.pool, connection, sole: embedded?.sole ?? false, close, kill };
}

/** Refuses a pooler that shares sessions, before a lock of the migration stays behind in one. */
async function requireSessions(connectionString: string): Promise<void> {
  if (await keepsSessions({ connectionString })) return;
  throw new ConfigurationError(
    'Settings:\n  QUIRE_DATABASE_URL: a pooler shares the sessions of PostgreSQL between transactions. ' +
      'Set PgBouncer to pool_mode=session, or connect to PostgreSQL directly',
  );
}

/** Migrates over connections of its own, whose statements have no time limit. */
async function migrate(options: Omit<DatabaseOptions, 'poolSize'>): Promise<void> {
  const pool = createPool({ ...options, poolSize: 2 });
  try {
    await migrateDatabase(pool, options.logger);
  } finally {
    await pool.end();
  }
}
