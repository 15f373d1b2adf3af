/**
 * The statements on graphile-worker's locks that its functions lack. They read its private tables, whose shape is that
 * of the pinned 0.17.3. `locked_by` holds the id of a worker pool (the `pool:create` event), not of a single worker.
 */
import { sql } from 'kysely';
import type { Executor } from '../database/transaction.ts';

/** What identifies one run of a job: a later run of it has another pool or another attempt number. */
export interface Claim {
  jobId: string;
  poolId: string;
  attempt: number;
  runAt: Date;
  /** It was taken with a key. A job of the same key that was added since has taken that away: this run is its last. */
  keyed: boolean;
}

/** Wakes idle workers of every process, as adding jobs does. */
async function announce(executor: Executor, count: number): Promise<void> {
  if (count === 0) return;
  await sql`select pg_notify('jobs:insert', json_build_object('r', random(), 'count', ${count}::int)::text)`.execute(
    executor,
  );
}

/**
 * Removes finished jobs; true for each whose claim held. False: another run owns the job now, or has finished it. One
 * that another of its key has taken the place of counts as used up (`add_jobs`), but is its run's still.
 */
export async function completeClaimed(executor: Executor, claims: readonly Claim[]): Promise<boolean[]> {
  const { rows } = await sql<{ id: string }>`
    delete from graphile_worker._private_jobs as jobs using unnest(
      ${claims.map(({ jobId }) => jobId)}::bigint[], ${claims.map(({ poolId }) => poolId)}::text[],
      ${claims.map(({ attempt }) => attempt)}::int[], ${claims.map(({ keyed }) => keyed)}::boolean[]
    ) as claim (id, pool_id, attempt, keyed)
    where jobs.id = claim.id and jobs.locked_by = claim.pool_id
      and (jobs.attempts = claim.attempt or (claim.keyed and jobs.key is null))
    returning jobs.id`.execute(executor);
  const removed = new Set(rows.map((row) => row.id));
  return claims.map(({ jobId }) => removed.has(jobId));
}

/** Whether another job of its key was added while this one ran. */
export async function isReplaced(executor: Executor, { jobId, poolId, keyed }: Claim): Promise<boolean> {
  if (!keyed) return false;
  const { rows } = await sql`
    select from graphile_worker._private_jobs
    where id = ${jobId} and locked_by = ${poolId} and key is null`.execute(executor);
  return rows.length > 0;
}

/**
 * Gives a job back unfinished: free to be run at once, in its old place and with its attempt not counted. Also after
 * graphile-worker wrote the interruption down as a failure, which waits for e^n seconds.
 */
export async function handBack(executor: Executor, { jobId, poolId, attempt, runAt }: Claim): Promise<void> {
  const { numAffectedRows } = await sql`
    update graphile_worker._private_jobs
    set locked_by = null, locked_at = null, attempts = greatest(0, attempts - 1), run_at = ${runAt}
    where id = ${jobId} and attempts = ${attempt} and (locked_by is null or locked_by = ${poolId})`.execute(executor);
  await announce(executor, Number(numAffectedRows ?? 0n));
}

/**
 * Unlocks the jobs whose pool belongs to no process with a recent heartbeat. A pool may be at work moments before its
 * process has registered it, so a lock must be as old as the silence too.
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

export async function unlockPool(executor: Executor, poolId: string): Promise<void> {
  const { numAffectedRows } = await sql`
    update graphile_worker._private_jobs set locked_by = null, locked_at = null
    where locked_by = ${poolId}`.execute(executor);
  await announce(executor, Number(numAffectedRows ?? 0n));
}

export interface ExhaustedJob {
  id: string;
  name: string;
  payload: unknown;
  lastError: string | null;
}

/** Jobs that will not run again: their last attempt failed, or its process died in it. */
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
 * Unlocks every job and forgets every instance, at once. Only for the start of a process that is known to be the only
 * one on its database (`EmbeddedPostgres.sole`), before its worker runs: whatever is locked was left by a dead process.
 */
export async function reclaimAll(executor: Executor): Promise<void> {
  await sql`delete from instances`.execute(executor);
  await sql`update graphile_worker._private_jobs set locked_by = null, locked_at = null where locked_at is not null`.execute(
    executor,
  );
}
