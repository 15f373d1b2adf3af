/**
 * The statements of a lane on graphile-worker's tables: fetch jobs, free what it does not work on.
 * They use its private tables, whose shape is that of the pinned 0.17.3. `locked_by` holds the id of a lane.
 */
import { sql } from 'kysely';
import { beginEpoch, EPOCH } from '../database/epoch.ts';
import type { Executor } from '../database/transaction.ts';

export interface FetchedJob {
  id: string;
  name: string;
  payload: unknown;
  attempts: number;
  maxAttempts: number;
  runAt: Date;
  key: string | null;
  /** The epoch of PostgreSQL at the fetch. */
  epoch: string;
}

/** Locks up to `limit` due jobs of these names for the lane, in the order of priority, and counts their attempt. */
export async function fetchJobs(
  executor: Executor,
  laneId: string,
  names: readonly string[],
  limit: number,
): Promise<FetchedJob[]> {
  const { rows } = await sql<Omit<FetchedJob, 'epoch'> & { epoch: string | null }>`
    with due as (
      select id from graphile_worker._private_jobs
      where is_available and run_at <= now() and job_queue_id is null and task_id = any(array(
        select id from graphile_worker._private_tasks where identifier = any(${[...names]}::text[])))
      order by priority, run_at limit ${limit} for update skip locked)
    update graphile_worker._private_jobs as jobs
    set attempts = jobs.attempts + 1, locked_by = ${laneId}, locked_at = now()
    from due, graphile_worker._private_tasks as tasks
    where jobs.id = due.id and tasks.id = jobs.task_id
    returning jobs.id::text as id, tasks.identifier as name, jobs.payload, jobs.attempts,
      jobs.max_attempts as "maxAttempts", jobs.run_at as "runAt", jobs.key, ${EPOCH} as epoch`.execute(executor);
  // The first fetch after a crash. No job has begun, so what follows belongs to the epoch that begins here.
  const begun = rows.some(({ epoch }) => epoch === null) ? await beginEpoch(executor) : '';
  return rows.map((row) => ({ ...row, epoch: row.epoch ?? begun }));
}

/**
 * Frees the jobs that are locked for the lane but are not among those it works on, without counting the attempt: the
 * answer to a fetch got lost after the commit. Returns their number.
 */
export async function releaseUnknown(executor: Executor, laneId: string, working: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update graphile_worker._private_jobs
    set locked_by = null, locked_at = null, attempts = greatest(0, attempts - 1)
    where locked_by = ${laneId} and id <> all(${[...working]}::bigint[])`.execute(executor);
  return Number(numAffectedRows ?? 0n);
}
