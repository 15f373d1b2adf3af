import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';
import type { ServerConnection } from './embedded-postgres.ts';
import type { Database } from './tables.ts';

const ANSWER_MS = 2_000;

/** Resolves when the database has answered a statement. */
export async function ping(database: Kysely<Database>): Promise<void> {
  await sql`select 1`.execute(database);
}

/** Age from which on a statement shows that the database is busy. */
const LONG_MS = 30_000;

/**
 * Resolves when the database has answered over a connection of its own. Rejects after 2 s, and while a statement of
 * Quire runs or waits for a lock longer than `longMs`: connections are then silent because the database is busy.
 */
export async function pingAnew(connection: string | ServerConnection, longMs = LONG_MS): Promise<void> {
  const address = typeof connection === 'string' ? { connectionString: connection } : connection;
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client = new Client({ ...address, ...limits, application_name: 'quire ping' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ busy: number }>(
      `select count(*)::int as busy from pg_stat_activity where datname = current_database() and state = 'active'
         and application_name like 'quire%' and query_start < now() - $1 * interval '1 millisecond'`,
      [longMs],
    );
    const busy = rows[0]?.busy ?? 0;
    if (busy > 0) throw new Error(`${busy} statements run for a long time`);
  } finally {
    // Not awaited: the server may not answer a goodbye.
    void client.end();
  }
}
