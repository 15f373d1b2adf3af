import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/**
 * Runs work unless a process on this database runs work of the same name; returns whether it ran. The lock ends with
 * the process.
 */
export function unlessRunning(database: Kysely<Database>, name: string, work: () => Promise<void>): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const lock = sql<{ isFree: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as "isFree"`;
    const { rows } = await lock.execute(transaction);
    if (rows[0]?.isFree !== true) return false;
    await work();
    return true;
  });
}

/**
 * Runs work of the same name one at a time over all processes on this database. Holds a connection while it runs; the
 * wait for the others has no time limit.
 */
export function oneAtATime(database: Kysely<Database>, name: string, work: () => Promise<void>): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction);
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
    await work();
  });
}
