/**
 * Makes a snapshot of PostgreSQL outlast a crash. A crash loses the last transactions that were rolled back, or were
 * committed without waiting for the disk, and their ids are given out again. A reader that counts such an id as seen
 * would never see what is written with it later.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { ClientBase } from 'pg';
import type { Database } from './tables.ts';

/**
 * The end of the write-ahead log (WAL) in SQL, or null when the log is on disk up to it. In the statement that takes
 * the snapshot or a later one, it is behind the records of all transactions that the snapshot counts as ended.
 */
export const UNSETTLED_LOG_END = `case when pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn()
  then pg_current_wal_insert_lsn()::text end`;

/** Commits a message that nothing reads and waits for the disk, unless the log is on disk up to the parameter. */
const SETTLE = `select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'quire', '')
  where pg_current_wal_flush_lsn() < `;

/**
 * Writes the log to disk up to `logEnd`; does nothing for null. Call it on the connection that took the snapshot,
 * outside of a transaction: after a crash in between, it rejects.
 */
export async function settle(client: ClientBase, logEnd: string | null): Promise<void> {
  if (logEnd !== null) await client.query(`${SETTLE} $1::pg_lsn`, [logEnd]);
}

/** Makes the commit of a transaction wait for the disk, because the step after it cannot be undone. */
export async function commitToDisk(transaction: Transaction<Database>): Promise<void> {
  await sql`select set_config('synchronous_commit', 'on', true)`.execute(transaction);
}

/**
 * Waits until everything that was committed so far is on disk. Call it before a step that cannot be undone, such as the
 * deletion of a file.
 */
export const settleAll = (database: Kysely<Database>): Promise<void> =>
  settled(database, async (connection) => {
    const { rows } = await sql<{ end: string | null }>`select ${sql.raw(UNSETTLED_LOG_END)} as end`.execute(connection);
    return { result: undefined, logEnd: rows[0]?.end ?? null };
  });

/** Runs statements on one connection, then writes the log to disk up to the end that they return. */
export function settled<T>(
  database: Kysely<Database>,
  read: (connection: Kysely<Database>) => Promise<{ result: T; logEnd: string | null }>,
): Promise<T> {
  return database.connection().execute(async (connection) => {
    const { result, logEnd } = await read(connection);
    if (logEnd !== null) await sql`${sql.raw(SETTLE)} ${logEnd}::pg_lsn`.execute(connection);
    return result;
  });
}
