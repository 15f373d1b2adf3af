import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** Runs work of the same name one at a time over all processes on this database. Holds a connection while it runs. */
export function oneAtATime(database: Kysely<Database>, name: string, work: () => Promise<void>): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
    await work();
  });
}
