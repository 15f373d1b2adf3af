/**
 * The statements on the locks of graphile-worker's jobs that its functions lack. They use its private tables, whose
 * shape is that of the pinned 0.17.3. `locked_by` holds the id of a lane.
 */
import { sql } from 'kysely';
import { JOBS_CHANNEL } from '../database/notifications.ts';
import type { Executor } from '../database/transaction.ts';

/** Wakes idle lanes of every process, as adding jobs does. */
export async function announce(executor: Executor, count: number): Promise<void> {
  if (count === 0) return;
  await sql`select pg_notify(${JOBS_CHANNEL}, json_build_object('r', random(), 'count', ${count}::int)::text)`.execute(
    executor,
  );
}

/**
 * Unlocks the jobs whose lane belongs to no process with a recent heartbeat. A lane may work before its process has
 * registered it, so the lock must be as old as the silence too.
 */
export async function unlockSilent(executor: Executor, silenceMs: number): Promise<number> {
  const since = sql`now() - ${silenceMs} * interval '1 millisecond'`;
  const { numAffectedRows } = await sql`
    update graphile_worker._private_jobs as jobs set locked_by = null, locked_at = null
    where locked_at < ${since} and not exists (
      select from instances where jobs.locked_by = any(worker_pool_ids) and heartbeat_at > ${since})`.execute(executor);
  const count = Number(numAffectedRows ?? 0n);
  await announce(executor, count);
  return count;
}

export interface ExhaustedJob {
  id: string;
  name: string;
  payload: unknown;
  lastError: string | null;
}

/** Returns jobs that will not run again: their last attempt failed, or its process died during it. */
export async function findExhausted(executor: Executor, limit: number): Promise<ExhaustedJob[]> {
  const { rows } = await sql<ExhaustedJob>`
    select jobs.id::text as id, tasks.identifier as name, jobs.payload, jobs.last_error as "lastError"
    from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where jobs.attempts >= jobs.max_attempts and jobs.locked_at is null
    order by jobs.id limit ${limit}`.execute(executor);
  return rows;
}

export async function removeExhausted(executor: Executor, jobId: string): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs
    where id = ${jobId} and attempts >= max_attempts and locked_at is null`.execute(executor);
}

/**
 * Unlocks every job and removes every instance, at once. Only for the start of a process that is known to be the only
 * one on its database (`EmbeddedPostgres.sole`), before its lanes run: every lock was left by a dead process.
 */
export async function reclaimAll(executor: Executor): Promise<void> {
  await sql`delete from instances`.execute(executor);
  await sql`update graphile_worker._private_jobs set locked_by = null, locked_at = null where locked_at is not null`.execute(
    executor,
  );
}
