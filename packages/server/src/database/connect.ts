/**
 * The pool and the query builder on it. What `pg` makes of PostgreSQL's types: `bigint` keys are strings (they may
 * exceed 2^53; compare and pass them on as they are), timestamps are Dates, `jsonb` is parsed, `bytea` is a Buffer.
 */
import { Kysely, PostgresDialect } from 'kysely';
import { Pool, type PoolConfig } from 'pg';
import type { Logger } from '../logger.ts';
import type { ServerConnection } from './embedded-postgres.ts';
import { preparedPool } from './prepared-pool.ts';
import type { Database } from './tables.ts';

export interface DatabaseOptions {
  /** A PostgreSQL URL, or what the embedded server tells. */
  connection: string | ServerConnection;
  /** Connections at most; a process with API and workers needs about 10 for requests and one for each job at once. */
  poolSize: number;
  /**
   * Commits are told before they are on disk. For work that a crash only makes happen again (PostgreSQL loses the last
   * of such commits, never one before another), it saves a disk write for each.
   */
  asynchronousCommit?: boolean;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  logger: Logger;
}

export interface DatabaseHandle {
  pool: Pool;
  db: Kysely<Database>;
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Every hot statement looks rows up by an index. A plan that is kept from when a table was small must not read all of it
 * when it has grown; without a fitting index a table is still read whole.
 */
const PLANNER = ['enable_seqscan=off'];

export function createPool({
  connection,
  poolSize,
  applicationName,
  asynchronousCommit,
  logger,
}: DatabaseOptions): Pool {
  const address: PoolConfig = typeof connection === 'string' ? { connectionString: connection } : connection;
  const pool = new Pool({
    ...address,
    max: poolSize,
    application_name: applicationName,
    options: [...PLANNER, ...(asynchronousCommit === true ? ['synchronous_commit=off'] : [])]
      .map((setting) => `-c ${setting}`)
      .join(' '),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // Connections that break are replaced by the pool; without listeners, in use or idle, their error ends the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'a database connection broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export function connectDatabase(options: DatabaseOptions): DatabaseHandle {
  const pool = createPool(options);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparedPool(pool) }) });
  return {
    pool,
    db,
    close: async () => {
      // Ends the pool too, but only if kysely ran a statement on it.
      await db.destroy();
      if (!pool.ending) await pool.end();
    },
  };
}
