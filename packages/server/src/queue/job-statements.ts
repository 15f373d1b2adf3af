/**
 * The statements of a lane on graphile-worker's tables: fetch jobs, free what it does not work on.
 * They use its private tables, whose shape is that of the pinned 0.17.3. `locked_by` holds the id of a lane.
 */
import { sql, type RawBuilder } from 'kysely';
import { beginEpoch, EPOCH } from '../database/epoch.ts';
import type { Executor } from '../database/transaction.ts';
import { jobOwner, SEARCHED_JOBS } from './job-owner.ts';

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
  /** The workspace that it works for; empty for the service itself. */
  owner: string;
}

const taskIds = (names: readonly string[]): RawBuilder<unknown> => sql`any(array(
  select id from graphile_worker._private_tasks where identifier = any(${[...names]}::text[])))`;

/** Locks the jobs whose ids the subquery returns, and counts their attempt. */
async function lock(executor: Executor, laneId: string, due: RawBuilder<unknown>): Promise<FetchedJob[]> {
  const { rows } = await sql<Omit<FetchedJob, 'epoch'> & { epoch: string | null }>`
    with due as (${due})
    update graphile_worker._private_jobs as jobs
    set attempts = jobs.attempts + 1, locked_by = ${laneId}, locked_at = now()
    from due, graphile_worker._private_tasks as tasks
    where jobs.id = due.id and tasks.id = jobs.task_id
    returning jobs.id::text as id, tasks.identifier as name, jobs.payload, jobs.attempts,
      jobs.max_attempts as "maxAttempts", jobs.run_at as "runAt", jobs.key, ${jobOwner()} as owner,
      ${EPOCH} as epoch`.execute(executor);
  // The first fetch after a crash. No job has begun, so what follows belongs to the epoch that begins here.
  const begun = rows.some(({ epoch }) => epoch === null) ? await beginEpoch(executor) : '';
  return rows.map((row) => ({ ...row, epoch: row.epoch ?? begun }));
}

/** Locks up to `limit` due jobs of these names for the lane, in the order of priority, and counts their attempt. */
export async function fetchJobs(
  executor: Executor,
  laneId: string,
  names: readonly string[],
  limit: number,
): Promise<FetchedJob[]> {
  return lock(
    executor,
    laneId,
    sql`select id from graphile_worker._private_jobs
      where is_available and run_at <= now() and job_queue_id is null and task_id = ${taskIds(names)}
      order by priority, run_at limit ${limit} for update skip locked`,
  );
}

/** The same with one job of each workspace that is not among `holders`. */
export async function fetchOthers(
  executor: Executor,
  laneId: string,
  names: readonly string[],
  limit: number,
  holders: readonly string[],
): Promise<FetchedJob[]> {
  return lock(
    executor,
    laneId,
    sql`select id from graphile_worker._private_jobs
      where is_available and id = any(array(
        select id from (
          select distinct on (owner) id, priority, run_at from (
            select id, priority, run_at, ${jobOwner()} as owner from (
              select id, payload, priority, run_at from graphile_worker._private_jobs
              where is_available and run_at <= now() and job_queue_id is null and task_id = ${taskIds(names)}
              order by priority, run_at limit ${SEARCHED_JOBS}) as jobs) as owned
          where owner <> all(${[...holders]}::text[])
          order by owner, priority, run_at) as firsts
        order by priority, run_at limit ${limit}))
      for update skip locked`,
  );
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
