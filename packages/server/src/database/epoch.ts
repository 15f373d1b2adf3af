/**
 * The epoch of PostgreSQL: it changes when the server crashed, or another one took over, and so may have lost the last
 * commits that did not wait for the disk. The commits of a process in an earlier epoch may not exist.
 */
import { sql } from 'kysely';
import type { Executor } from './transaction.ts';

/**
 * The present epoch in SQL; null until `beginEpoch`. The row of the unlogged table is gone after a crash; the start
 * time covers servers on which such tables are logged.
 */
export const EPOCH = sql<string | null>`(
  select id || ' ' || extract(epoch from pg_postmaster_start_time())::text from database_epoch where only_row)`;

/** Begins an epoch, unless one has begun, and returns it. */
export async function beginEpoch(executor: Executor): Promise<string> {
  await sql`insert into database_epoch default values on conflict do nothing`.execute(executor);
  const { rows } = await sql<{ epoch: string | null }>`select ${EPOCH} as epoch`.execute(executor);
  const epoch = rows[0]?.epoch;
  if (typeof epoch !== 'string') throw new Error('PostgreSQL crashed while its epoch was read');
  return epoch;
}
