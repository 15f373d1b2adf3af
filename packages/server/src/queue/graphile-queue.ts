import { sql, type Kysely } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { Executor } from '../database/transaction.ts';
import { jobOwner, SEARCHED_JOBS } from './job-owner.ts';
import type { EnqueueOptions, JobName, JobPayloads, JobQueue, NewJob } from './job-queue.ts';

export interface LaneWait {
  lane: string;
  /** Time that the oldest due job has waited, in ms; null if none is due. */
  oldestDueMs: number | null;
  /** The same for the jobs of workspaces that have no running job in the lane. */
  starvedMs: number | null;
}

/** The queue waits e^n seconds after the n-th failure: 3, 7, 20, 55 s, 2.5, 7, 18 minutes; half an hour in total. */
const DEFAULT_ATTEMPTS = 8;
/** Priorities are 16-bit; larger backlogs are capped here. */
const LOWEST_PRIORITY = 32_767;

/**
 * Adds jobs to graphile-worker's tables in the caller's transaction. `priority` is what makes the queue fair: the
 * caller passes the workspace's number of unfinished documents, so the n-th document of one workspace runs along with
 * the n-th of every other, however long any backlog is.
 */
export class GraphileJobQueue implements JobQueue {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  async enqueue<N extends JobName>(
    transaction: Executor,
    name: N,
    payload: JobPayloads[N],
    options: EnqueueOptions = {},
  ): Promise<void> {
    await this.enqueueMany(transaction, [{ name, payload, ...options }]);
  }

  async enqueueMany(transaction: Executor, jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await sql`
      select from graphile_worker.add_jobs(array(
        select row(name, payload, null, coalesce(run_at, now()), max_attempts, key, priority, null)::graphile_worker.job_spec
        from unnest(
          ${jobs.map((job) => job.name)}::text[], ${jobs.map((job) => JSON.stringify(job.payload))}::json[],
          ${jobs.map((job) => job.runAt?.toISOString() ?? null)}::timestamptz[],
          ${jobs.map((job) => job.maxAttempts ?? DEFAULT_ATTEMPTS)}::int[],
          ${jobs.map((job) => job.key ?? null)}::text[],
          ${jobs.map(priorityOf)}::int[]
        ) as job (name, payload, run_at, max_attempts, key, priority)))`.execute(transaction);
  }

  /** Returns how long the due jobs of each lane have waited. */
  async waits(lanes: Readonly<Record<JobName, string>>): Promise<LaneWait[]> {
    const { rows } = await sql<LaneWait>`
      with lanes as (
        select tasks.id as task_id, lane.name as lane from graphile_worker._private_tasks as tasks
        join unnest(${Object.keys(lanes)}::text[], ${Object.values(lanes)}::text[]) as lane (identifier, name)
          on lane.identifier = tasks.identifier),
      held as (
        select distinct lanes.lane, ${jobOwner()} as owner from graphile_worker._private_jobs as jobs
        join lanes on lanes.task_id = jobs.task_id where jobs.locked_at is not null),
      waiting as (
        select lanes.lane, ${jobOwner()} as owner, jobs.run_at from (
          select task_id, payload, run_at from graphile_worker._private_jobs
          where is_available and run_at <= now() order by priority, run_at limit ${SEARCHED_JOBS}) as jobs
        join lanes on lanes.task_id = jobs.task_id),
      starved as (
        select lane, min(run_at) as run_at from waiting
        where not exists (select from held where held.lane = waiting.lane and held.owner = waiting.owner) group by lane),
      oldest as (
        select lanes.lane, min(jobs.run_at) as run_at from lanes
        left join graphile_worker._private_jobs as jobs
          on jobs.task_id = lanes.task_id and jobs.is_available and jobs.run_at <= now() group by lanes.lane)
      select oldest.lane, extract(epoch from now() - oldest.run_at)::float8 * 1000 as "oldestDueMs",
        extract(epoch from now() - starved.run_at)::float8 * 1000 as "starvedMs"
      from oldest left join starved using (lane) order by oldest.lane`.execute(this.#db);
    const known = new Map(rows.map((row) => [row.lane, row]));
    return [...new Set(Object.values(lanes))].map(
      (lane) => known.get(lane) ?? { lane, oldestDueMs: null, starvedMs: null },
    );
  }

  /** Returns the number of waiting and of running jobs, for the metrics. */
  async gauge(): Promise<{ labels: { state: string }; value: number }[]> {
    const { rows } = await sql<{ state: string; jobs: string }>`
      select case when locked_at is null then 'waiting' else 'running' end as state, count(*) as jobs
      from graphile_worker.jobs group by 1`.execute(this.#db);
    const counts = new Map(rows.map(({ state, jobs }) => [state, Number(jobs)]));
    return ['waiting', 'running'].map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
  }

  async states(keys: readonly string[]): Promise<Map<string, 'waiting' | 'running'>> {
    const { rows } = await sql<{ key: string; running: boolean }>`
      select key, locked_at is not null as running from graphile_worker.jobs
      where key = any(${[...keys]}::text[]) and (locked_at is not null or attempts < max_attempts)`.execute(this.#db);
    return new Map(rows.map(({ key, running }) => [key, running ? 'running' : 'waiting']));
  }
}

const priorityOf = ({ priority = 0 }: EnqueueOptions): number =>
  Math.min(Math.max(Math.round(priority), 0), LOWEST_PRIORITY);
