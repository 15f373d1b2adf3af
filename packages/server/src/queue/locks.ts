/**
 * The statements on the locks of graphile-worker's jobs that its functions lack. They use its private tables, whose
 * shape is that of the pinned 0.17.3. `locked_by` holds the id of a lane.
 */
import { sql } from 'kysely';
import { JOBS_CHANNEL } from '../database/notifications.ts';
import type { Executor } from '../database/transaction.ts';

/** Identifies one run of a job: a later run of the job has another lane or another attempt number. */
export interface Claim {
  jobId: string;
  laneId: string;
  attempt: number;
  runAt: Date;
  /** The job had a key when it was fetched. Adding another job with that key removes it, and this run is the last. */
  keyed: boolean;
}

/** Wakes idle lanes of every process, as adding jobs does. */
async function announce(executor: Executor, count: number): Promise<void> {
  if (count === 0) return;
  await sql`select pg_notify(${JOBS_CHANNEL}, json_build_object('r', random(), 'count', ${count}::int)::text)`.execute(
    executor,
  );
}

/**
 * Removes finished jobs; true for each whose claim held. False: another run owns the job or has finished it. A job that
 * was replaced by another of its key has all attempts used up (`add_jobs`), but still belongs to its run.
 */
export async function completeClaimed(executor: Executor, claims: readonly Claim[]): Promise<boolean[]> {
  const { rows } = await sql<{ id: string }>`
    delete from graphile_worker._private_jobs as jobs using unnest(
      ${claims.map(({ jobId }) => jobId)}::bigint[], ${claims.map(({ laneId }) => laneId)}::text[],
      ${claims.map(({ attempt }) => attempt)}::int[], ${claims.map(({ keyed }) => keyed)}::boolean[]
    ) as claim (id, lane_id, attempt, keyed)
    where jobs.id = claim.id and jobs.locked_by = claim.lane_id
      and (jobs.attempts = claim.attempt or (claim.keyed and jobs.key is null))
    returning jobs.id`.execute(executor);
  const removed = new Set(rows.map((row) => row.id));
  return claims.map(({ jobId }) => removed.has(jobId));
}

/** Returns whether another job of the same key was added while this one ran. */
export async function isReplaced(executor: Executor, { jobId, laneId, keyed }: Claim): Promise<boolean> {
  if (!keyed) return false;
  const { rows } = await sql`
    select from graphile_worker._private_jobs
    where id = ${jobId} and locked_by = ${laneId} and key is null`.execute(executor);
  return rows.length > 0;
}

/**
 * Gives a job back unfinished, with its attempt not counted. It is due after `delayMs`; without a delay it has its old
 * place in the queue.
 */
export async function handBack(executor: Executor, claim: Claim, delayMs = 0): Promise<void> {
  const { jobId, laneId, attempt, runAt } = claim;
  const due = delayMs === 0 ? sql`${runAt}` : sql`now() + ${delayMs} * interval '1 millisecond'`;
  const { numAffectedRows } = await sql`
    update graphile_worker._private_jobs
    set locked_by = null, locked_at = null, attempts = greatest(0, attempts - 1), run_at = ${due}
    where id = ${jobId} and attempts = ${attempt} and locked_by = ${laneId}`.execute(executor);
  await announce(executor, Number(numAffectedRows ?? 0n));
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
