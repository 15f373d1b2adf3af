/** The database that the settings name: an external one by URL, or the embedded one in the data directory. */
import path from 'node:path';
import type { Pool } from 'pg';
import type { Kysely } from 'kysely';
import type { Config } from './config/config.ts';
import { ConfigurationError } from './config/env.ts';
import { connectDatabase } from './database/connect.ts';
import { startEmbeddedPostgres, type ServerConnection } from './database/embedded-postgres.ts';
import { migrateDatabase } from './database/migrate.ts';
import type { Database } from './database/tables.ts';
import type { Logger } from './logger.ts';

export interface OpenDatabase {
  db: Kysely<Database>;
  pool: Pool;
  connection: string | ServerConnection;
  /** Nobody else uses this database, so what is locked in it was left by a dead process. */
  sole: boolean;
  close(): Promise<void>;
}

/** Nobody listens there, or it does not let us in: the name, the password or the database is wrong. */
const REFUSED = /^(E[A-Z_]+|28...|3D...)$/;

/** What went wrong, as a fault of the setting where it is one. Neither of them holds the password. */
function unreachable(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined || !REFUSED.test(code)) return error;
  return new ConfigurationError(`Settings:\n  QUIRE_DATABASE_URL: ${message}`, { cause: error });
}

/** Starts or attaches to the server when it is ours, connects, and brings the schema up to date. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'role'>,
  logger: Logger,
  poolSize: number,
  signal?: AbortSignal,
): Promise<OpenDatabase> {
  const embedded =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({
          dataDir: path.join(config.dataDir, 'postgres'),
          logger,
          ...(signal ? { signal } : {}),
        })
      : undefined;
  const connection = embedded?.connection ?? config.databaseUrl ?? '';
  const handle = connectDatabase({ connection, poolSize, applicationName: `quire ${config.role}`, logger });
  const close = async (): Promise<void> => {
    await handle.close();
    await embedded?.stop();
  };
  try {
    await migrateDatabase(handle.pool, logger);
  } catch (error) {
    await close();
    throw config.databaseUrl === null ? error : unreachable(error);
  }
  return { db: handle.db, pool: handle.pool, connection, sole: embedded?.sole ?? false, close };
}
