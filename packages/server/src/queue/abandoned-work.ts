/**
 * Ends or continues the work that no process continues, the same way for every kind of record: a record in progress
 * without a job gets another job, and one past its deadline fails. A record and its job change in one transaction, so
 * that a single statement finds records without a job exactly, at any age.
 */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../database/tables.ts';

/** Records of one kind that jobs work on. */
export interface WorkKind<Jobless, Overdue> {
  /** Locks records in progress without a job, and skips those that are locked. */
  findJobless(transaction: Transaction<Database>, limit: number): Promise<Jobless[]>;
  enqueue(transaction: Transaction<Database>, records: readonly Jobless[]): Promise<void>;
  /** Returns records that are past their deadline although a job runs. */
  findOverdue(limit: number): Promise<Overdue[]>;
  /** Returns whether the record has failed; it may have ended in the meantime. */
  fail(record: Overdue): Promise<boolean>;
}

/** Maximum number of records in a transaction, and of overdue ones in a round. */
const RECORDS_PER_STEP = 500;

const jobOf = (key: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from graphile_worker._private_jobs as jobs where jobs.key = ${key} and ${condition})`;

/** Whether a job with this key waits or runs. One that used up its attempts does not count. */
export const hasJob = (key: RawBuilder<unknown>): RawBuilder<boolean> =>
  jobOf(key, sql`(jobs.locked_at is not null or jobs.attempts < jobs.max_attempts)`);

/** Whether a job with this key waits for a lane. */
export const hasWaitingJob = (key: RawBuilder<unknown>): RawBuilder<boolean> =>
  jobOf(key, sql`jobs.locked_at is null and jobs.attempts < jobs.max_attempts`);

/** Runs one round, in any process, and returns the number of records that it queued again or failed. */
export async function tendAbandoned<Jobless, Overdue>(
  database: Kysely<Database>,
  kind: WorkKind<Jobless, Overdue>,
): Promise<number> {
  let count = 0;
  for (;;) {
    const queued = await database.transaction().execute(async (transaction) => {
      const records = await kind.findJobless(transaction, RECORDS_PER_STEP);
      if (records.length > 0) await kind.enqueue(transaction, records);
      return records.length;
    });
    count += queued;
    if (queued < RECORDS_PER_STEP) break;
  }
  for (const record of await kind.findOverdue(RECORDS_PER_STEP)) if (await kind.fail(record)) count += 1;
  return count;
}
