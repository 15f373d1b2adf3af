/** The database that the settings name: an external one by URL, or the embedded one in the data directory. */
import path from 'node:path';
import type { Pool } from 'pg';
import type { Kysely } from 'kysely';
import type { Config } from './config/config.ts';
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
    throw error;
  }
  return { db: handle.db, pool: handle.pool, connection, sole: embedded?.sole ?? false, close };
}
