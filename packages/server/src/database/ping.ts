import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';
import type { ServerConnection } from './embedded-postgres.ts';
import type { Database } from './tables.ts';

const ANSWER_MS = 2_000;

/** Resolves when the database has answered a statement. */
export async function ping(database: Kysely<Database>): Promise<void> {
  await sql`select 1`.execute(database);
}

/** The same over a connection of its own; rejects after 2 s. */
export async function pingAnew(connection: string | ServerConnection): Promise<void> {
  const address = typeof connection === 'string' ? { connectionString: connection } : connection;
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client = new Client({ ...address, ...limits, application_name: 'quire ping' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    // Not awaited: the server may not answer a goodbye.
    void client.end();
  }
}
