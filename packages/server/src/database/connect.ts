/**
 * The pool and the query builder on it. How `pg` maps PostgreSQL's types: `bigint` keys are strings (they may exceed
 * 2^53; compare and pass them on unchanged), timestamps are Dates, `jsonb` is parsed, `bytea` is a Buffer.
 */
import { Kysely } from 'kysely';
import { Pool, type ClientBase, type PoolConfig, type QueryConfig } from 'pg';
import type { Logger } from '../logger.ts';
import { AuditedDialect } from './audited-dialect.ts';
import { setBackend } from './backend-pid.ts';
import { connectionShares, shareConnections } from './connection-shares.ts';
import { ConnectionWatch, type ConnectionWatchOptions } from './connection-watch.ts';
import type { ServerConnection } from './embedded-postgres.ts';
import { preparedPool } from './prepared-pool.ts';
import type { Database } from './tables.ts';

export interface DatabaseOptions {
  /** A PostgreSQL URL, or the address of the embedded server. */
  connection: string | ServerConnection;
  /** Maximum number of connections; a process needs about 10 for requests and one for each concurrent job. */
  poolSize: number;
  /**
   * Commits return before they are on disk, which saves one disk write each. Only for work that is repeated after a
   * crash: PostgreSQL loses the last such commits, never one before another.
   */
  asynchronousCommit?: boolean;
  /** Limit in ms for the answer to one statement; its connection is closed then. Default: no limit. */
  queryTimeoutMs?: number;
  /** Limit in ms after which PostgreSQL cancels a statement (code 57014). Default: no limit. */
  statementTimeoutMs?: number;
  /** Limit in ms for a statement that evaluates a filter of a client. Default: that of all statements. */
  filterTimeoutMs?: number;
  /** Limit in ms for a new connection and for the wait for a free one. Default 10,000. */
  connectTimeoutMs?: number;
  /** Times of the search for lost connections, if not the default ones. */
  watch?: Pick<ConnectionWatchOptions, 'intervalMs' | 'suspectAfterMs'>;
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
 * Every hot statement finds its rows by an index. A plan that was cached while a table was small must not scan all of
 * it after it has grown; a table without a suitable index is still scanned.
 */
const PLANNER = { enable_seqscan: 'off' };
/** The server notices within about 40 s that a client vanished, and frees the locks of its session. */
const KEEPALIVE = { tcp_keepalives_idle: '20', tcp_keepalives_interval: '5', tcp_keepalives_count: '4' };
const CONNECT_TIMEOUT_MS = 10_000;

const addressOf = (connection: DatabaseOptions['connection']): PoolConfig =>
  typeof connection === 'string' ? { connectionString: connection } : connection;

export function createPool(options: DatabaseOptions): Pool {
  const { connection, poolSize, applicationName, asynchronousCommit, queryTimeoutMs, logger } = options;
  const connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const settings = {
    ...PLANNER,
    ...KEEPALIVE,
    ...(asynchronousCommit === true ? { synchronous_commit: 'off' } : {}),
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: String(options.statementTimeoutMs) }),
  };
  const pool = new Pool({
    ...addressOf(connection),
    max: poolSize,
    application_name: applicationName,
    // The type lacks that the pool waits for the promise.
    onConnect: (client) => prepareSession(client, settings, connectTimeoutMs) as unknown as undefined,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
  });
  // The pool replaces broken connections. An error event without a listener would end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'a database connection broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Sets the session's parameters, in one round trip. PgBouncer refuses them in the startup message (`options`), or drops
 * them.
 */
async function prepareSession(
  client: ClientBase,
  settings: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<void> {
  const text = `select pg_backend_pid() as pid, set_config(name, value, false)
    from unnest($1::text[], $2::text[]) as settings (name, value)`;
  const values = [Object.keys(settings), Object.values(settings)];
  const { rows } = await client.query<{ pid: number }>({ text, values, query_timeout: timeoutMs } as QueryConfig);
  setBackend(client, rows[0]?.pid ?? 0);
}

export interface WatchedPool {
  pool: Pool;
  /** Closes connections that lost their server; statements that wait for an answer must be registered with it. */
  watch: ConnectionWatch;
}

export function createWatchedPool(options: DatabaseOptions): WatchedPool {
  const { connection, logger } = options;
  const watch = new ConnectionWatch({ connection: addressOf(connection), logger, ...options.watch });
  return { pool: createPool(options), watch };
}

export function connectDatabase(options: DatabaseOptions): DatabaseHandle {
  const { pool, watch } = createWatchedPool(options);
  const { filterTimeoutMs, statementTimeoutMs } = options;
  const shares = connectionShares(options.poolSize, options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  const prepared = preparedPool(pool, { watch, shares, filterTimeoutMs, statementTimeoutMs });
  const db = new Kysely<Database>({ dialect: new AuditedDialect({ pool: prepared }) });
  shareConnections(db, shares);
  return {
    pool,
    db,
    close: async () => {
      // Ends the pool too, but only if kysely ran a statement on it.
      await db.destroy();
      if (!pool.ending) await pool.end();
      await watch.stop();
    },
  };
}
