/**
 * The statements by which the holder of a job ends it or gives it back. Every statement has an effect only while the
 * lane and the attempt are those of the claim. A job is only removed in the epoch of PostgreSQL in which it was
 * fetched: after a crash that may have lost the holder's commits, it stays locked for its lane until `releaseUnknown`
 * frees it, and runs again.
 */
import { sql, type RawBuilder } from 'kysely';
import { EPOCH } from '../database/epoch.ts';
import type { Executor } from '../database/transaction.ts';
import type { JobClaim } from './job-queue.ts';
import { announce } from './locks.ts';

/**
 * The statement that removes jobs, if `condition` holds, and returns their ids; null is no job. A transaction
 * that ends a record contains it, so that the state and the end of the job are kept or lost together. A job that was
 * replaced by another of its key has all attempts used up (`add_jobs`), but still belongs to its run.
 */
export function removalOf(claims: readonly (JobClaim | null)[], condition = sql`true`): RawBuilder<{ id: string }> {
  const held = claims.filter((claim) => claim !== null);
  return sql<{ id: string }>`
    delete from graphile_worker._private_jobs as jobs using unnest(
      ${held.map(({ jobId }) => jobId)}::bigint[], ${held.map(({ laneId }) => laneId)}::text[],
      ${held.map(({ attempt }) => attempt)}::int[], ${held.map(({ keyed }) => keyed)}::boolean[],
      ${held.map(({ epoch }) => epoch)}::text[]
    ) as claim (id, lane_id, attempt, keyed, epoch)
    where jobs.id = claim.id and jobs.locked_by = claim.lane_id and claim.epoch = ${EPOCH}
      and (jobs.attempts = claim.attempt or (claim.keyed and jobs.key is null)) and ${condition}
    returning jobs.id`;
}

/** Removes a job in the transaction that ends its record; null is no job. */
export async function endJob(executor: Executor, claim: JobClaim | null): Promise<void> {
  if (claim !== null) await removalOf([claim]).execute(executor);
}

/** Removes finished jobs; true for each whose claim held. */
export async function completeClaimed(executor: Executor, claims: readonly JobClaim[]): Promise<boolean[]> {
  const { rows } = await removalOf(claims).execute(executor);
  const removed = new Set(rows.map((row) => row.id));
  return claims.map(({ jobId }) => removed.has(jobId));
}

/** Returns whether another job of the same key was added while this one ran. */
export async function isReplaced(executor: Executor, { jobId, laneId, keyed }: JobClaim): Promise<boolean> {
  if (!keyed) return false;
  const { rows } = await sql`
    select from graphile_worker._private_jobs
    where id = ${jobId} and locked_by = ${laneId} and key is null`.execute(executor);
  return rows.length > 0;
}

/** A replaced job is left out, because it must not run again. */
const isHeld = ({ jobId, laneId, attempt }: JobClaim) =>
  sql`id = ${jobId} and locked_by = ${laneId} and attempts = ${attempt}`;

/**
 * Gives a job back unfinished, with its attempt not counted; returns whether the claim held. The job is due after
 * `delayMs`; without a delay it has its old place in the queue.
 */
export async function handBack(executor: Executor, claim: JobClaim, delayMs = 0): Promise<boolean> {
  const due = delayMs === 0 ? sql`${claim.runAt}` : sql`now() + ${delayMs} * interval '1 millisecond'`;
  const { numAffectedRows = 0n } = await sql`
    update graphile_worker._private_jobs
    set locked_by = null, locked_at = null, attempts = greatest(0, attempts - 1), run_at = ${due}
    where ${isHeld(claim)}`.execute(executor);
  await announce(executor, Number(numAffectedRows));
  return numAffectedRows > 0n;
}

/**
 * Records a failed attempt; the job runs again after e^attempts seconds, if it has attempts left. Returns whether the
 * claim held.
 */
export async function failClaimed(executor: Executor, claim: JobClaim, message: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update graphile_worker._private_jobs
    set last_error = ${message}, locked_by = null, locked_at = null,
      run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second'
    where ${isHeld(claim)}`.execute(executor);
  return numAffectedRows > 0n;
}
