import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** Resolves when the database has answered a statement. */
export async function ping(database: Kysely<Database>): Promise<void> {
  await sql`select 1`.execute(database);
}
