/**
 * A lane: fetches jobs of some names (woken by NOTIFY, 2 ms) and runs up to `concurrency` of them at once, and a few
 * more for workspaces that have none, so that one workspace's long jobs never hold every slot. A job is
 * only removed by the run that still holds it, so a process that was suspended and resumes cannot remove its
 * successor's job. Handlers fence their effects by their own means, a document's `attempt_token`, not here.
 *
 * graphile-worker provides the tables and `add_jobs`, not the runtime: when PostgreSQL restarts, its local queue ends
 * the process with an unhandled rejection or stops fetching without an error.
 */
import { setMaxListeners } from 'node:events';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import { withLogContext, type Logger } from '../logger.ts';
import { traced } from '../tracing.ts';
import { isConnectionLoss } from '../shared/connection-loss.ts';
import { isOutdatedPlan } from '../shared/outdated-plan.ts';
import { JOBS_CHANNEL, type Notifications } from '../database/notifications.ts';
import { preparedPool } from '../database/prepared-pool.ts';
import type { Database } from '../database/tables.ts';
import { BatchedCalls } from '../shared/batched-calls.ts';
import { pause } from '@quire/shared/pause';
import { newId } from '../shared/uuid.ts';
import { FairShares } from '@quire/shared/fair-shares';
import { FetchLoop } from './fetch-loop.ts';
import type { Instance } from './instance.ts';
import { completeClaimed, failClaimed, handBack, isReplaced } from './claims.ts';
import type { JobClaim, JobContext, JobEnd, JobHandler, JobName } from './job-queue.ts';
import { fetchJobs, fetchOthers, releaseUnknown, type FetchedJob } from './job-statements.ts';
import type { ExhaustedHook } from './sweeper.ts';
import { StorageUnavailable } from '../shared/storage-unavailable.ts';

export type JobHandlers = { [N in JobName]?: JobHandler<N> };

export interface WorkerOptions {
  /** Name of the lane in logs, metrics and readiness. Default 'jobs'. */
  name?: string;
  /** The lane's own connections, two or more, with a time limit for each statement (`queryTimeoutMs`). */
  pool: Pool;
  notifications: Pick<Notifications, 'subscribe'>;
  handlers: JobHandlers;
  /** Maximum number of concurrent jobs. */
  concurrency: number;
  /** Number of jobs that may run beyond `concurrency`: the first of each workspace that has none. Default 0. */
  reserve?: number;
  /** Minimum time between two fetches, in ms, so that more jobs are fetched and started at once. Default 0. */
  gatherMs?: number;
  /** The same while jobs of the lane run, in ms. Default `gatherMs`. */
  busyMs?: number;
  instance: Instance;
  logger: Logger;
  onExhausted: ExhaustedHook;
  /** Grace period of `stop` for running jobs, in ms. Default 20,000. */
  graceMs?: number;
  /** Time in ms that jobs then have to react to their signal before they are handed back. Default 2,000. */
  abortMs?: number;
  /** Time without a round of the fetch loop after which it is restarted, in ms. Default 30,000. */
  stallMs?: number;
  /** Delay of a job after its first interruption by the object store, in ms; it doubles up to 30 s. Default 500. */
  storageWaitMs?: number;
}

export interface LaneStatus {
  name: string;
  /** Time since the database last answered the lane, in ms. */
  silentMs: number;
  sinceFetchMs: number;
  running: number;
  /** Number of times that the watchdog restarted the lane. */
  restarts: number;
}

type AnyHandler = (payload: unknown, context: JobContext) => Promise<JobEnd>;
type Outcome =
  | { kind: 'recorded' }
  | { kind: 'done' }
  | { kind: 'failed'; message: string }
  /** The last attempt failed, which was reported. */
  | { kind: 'exhausted'; message: string }
  | { kind: 'interrupted'; delayMs: number };

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** Interruptions by a lost database connection that do not count as attempts, per job. */
const MAX_FREE_INTERRUPTIONS = 10;
/** Interruptions by an object store that does not answer which do not count as attempts, per job: about a day. */
const MAX_STORAGE_INTERRUPTIONS = 3_000;
const LONGEST_STORAGE_WAIT_MS = 30_000;
const COMPLETIONS_PER_STATEMENT = 100;
/** Delay between two statements that remove finished jobs under load, in ms. */
const COMPLETION_LINGER_MS = 50;

export class Worker {
  readonly #id = `lane-${newId()}`;
  readonly #options: WorkerOptions;
  readonly #name: string;
  readonly #db: Kysely<Database>;
  readonly #handlers: ReadonlyMap<string, AnyHandler>;
  readonly #aborting = new AbortController();
  /** Jobs from their fetch until their end is recorded. */
  readonly #running = new Map<JobClaim, Promise<void>>();
  /** The slots that workspaces hold. */
  readonly #shares = new FairShares();
  /** Number of jobs whose handler runs; the other running ones only wait for the record of their end. */
  #working = 0;
  readonly #interruptions = new Map<string, number>();
  readonly #completions: BatchedCalls<JobClaim, boolean>;
  #loop: FetchLoop<FetchedJob> | undefined;
  #unsubscribe: () => void = () => undefined;
  #restarts = 0;
  #abandoned = false;
  #stopped: Promise<void> | undefined;

  private constructor(options: WorkerOptions) {
    this.#options = options;
    this.#name = options.name ?? 'jobs';
    this.#db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparedPool(options.pool) }) });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `enqueue` took the payload by the same name
    this.#handlers = new Map(Object.entries(options.handlers) as [string, AnyHandler][]);
    this.#completions = new BatchedCalls({
      maxBatchSize: COMPLETIONS_PER_STATEMENT,
      lingerMs: COMPLETION_LINGER_MS,
      runBatch: (claims) => completeClaimed(this.#db, claims),
      runSingle: async (claim) => (await completeClaimed(this.#db, [claim]))[0] === true,
      onBatchFailed: (error) => options.logger.warn({ err: error }, 'finished jobs could not be removed in one batch'),
    });
    // Every task of every job listens to this one signal.
    setMaxListeners(0, this.#aborting.signal);
  }

  static async start(options: WorkerOptions): Promise<Worker> {
    const worker = new Worker(options);
    await options.instance.addLane(worker.#id);
    worker.#begin();
    return worker;
  }

  get status(): LaneStatus {
    return {
      name: this.#name,
      silentMs: this.#loop?.silentMs ?? 0,
      sinceFetchMs: this.#loop?.sinceFetchMs ?? 0,
      running: this.#running.size,
      restarts: this.#restarts,
    };
  }

  /**
   * Fetches no more jobs, waits `graceMs` for running ones, then aborts their signal and hands them back, so that
   * another process runs them at once and their attempt is not counted.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  #begin(): void {
    const { concurrency, reserve = 0, gatherMs = 0, busyMs = gatherMs, notifications, logger, stallMs } = this.#options;
    const names = [...this.#handlers.keys()];
    const loop = new FetchLoop<FetchedJob>({
      name: this.#name,
      concurrency,
      free: () => concurrency - this.#working,
      fetch: (limit) => fetchJobs(this.#db, this.#id, names, limit),
      fetchOthers: async () => {
        const limit = concurrency + reserve - this.#working;
        return limit <= 0 ? [] : fetchOthers(this.#db, this.#id, names, limit, this.#shares.holders);
      },
      start: (job) => this.#start(job),
      releaseUnknown: () => releaseUnknown(this.#db, this.#id, this.#runningIds()),
      gatherMs,
      busyMs,
      ...(stallMs === undefined ? {} : { stallMs }),
      onRestart: () => (this.#restarts += 1),
      logger,
    });
    this.#loop = loop;
    this.#unsubscribe = notifications.subscribe(JOBS_CHANNEL, () => loop.wake());
  }

  async #stop(): Promise<void> {
    const { graceMs = 20_000, abortMs = 2_000, logger } = this.#options;
    this.#unsubscribe();
    await this.#loop?.stop();
    if (!(await this.#settled(graceMs))) {
      this.#aborting.abort();
      this.#abandoned = !(await this.#settled(abortMs));
    }
    try {
      if (this.#abandoned) for (const claim of this.#running.keys()) await handBack(this.#db, claim);
      // Jobs that a crash of PostgreSQL left locked for this lane.
      await releaseUnknown(this.#db, this.#id, []);
    } catch (error) {
      logger.warn({ err: error }, 'jobs could not be handed back; another process frees them');
    }
  }

  /** Waits until no job runs, for at most `ms`; returns whether that is so. */
  async #settled(ms: number): Promise<boolean> {
    const timer = new AbortController();
    const ended = Promise.all(this.#running.values()).then(() => true);
    try {
      return await Promise.race([ended, pause(ms, [timer.signal]).then(() => this.#running.size === 0)]);
    } finally {
      timer.abort();
    }
  }

  #runningIds(): string[] {
    return [...this.#running.keys()].map(({ jobId }) => jobId);
  }

  #start(job: FetchedJob): void {
    const { id: jobId, attempts: attempt, runAt, key, epoch } = job;
    const claim: JobClaim = { jobId, laneId: this.#id, attempt, runAt, keyed: key !== null, epoch };
    const ended = this.#run(job, claim).then((wasHeld) => {
      this.#running.delete(claim);
      // After a crash of PostgreSQL, the job may still be locked for this lane.
      if (!wasHeld) this.#loop?.recheck();
    });
    this.#running.set(claim, ended);
  }

  /** Never rejects: the lane records every outcome, however long the database is away. False if the claim was lost. */
  async #run(job: FetchedJob, claim: JobClaim): Promise<boolean> {
    const giveBack = this.#shares.take(job.owner);
    this.#working += 1;
    const outcome = await this.#attempt(job, claim);
    this.#working -= 1;
    giveBack();
    this.#loop?.slotFreed();
    for (let waitMs = FIRST_RETRY_MS; !this.#abandoned; waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)) {
      try {
        return await this.#record(job, claim, outcome);
      } catch (error) {
        this.#options.logger.warn(
          { err: error, jobId: claim.jobId },
          'the end of a job was not recorded; trying again',
        );
        await pause(waitMs);
      }
    }
    return true;
  }

  async #attempt(job: FetchedJob, claim: JobClaim): Promise<Outcome> {
    const { signal } = this.#aborting;
    const context: JobContext = { job: claim, attempt: job.attempts, maxAttempts: job.maxAttempts, signal };
    try {
      signal.throwIfAborted();
      const handler = this.#handlers.get(job.name);
      if (handler === undefined) throw new Error(`There is no handler for the job ${job.name}`);
      const attributes = { 'quire.job_id': job.id, 'quire.job.attempt': job.attempts };
      const end = await traced(`job ${job.name}`, attributes, () =>
        withLogContext({ jobId: job.id, ...(job.owner !== '' && { workspaceId: job.owner }) }, () =>
          handler(job.payload, context),
        ),
      );
      return { kind: end ?? 'done' };
    } catch (error) {
      if (signal.aborted) return { kind: 'interrupted', delayMs: 0 };
      return this.#interrupted(job, error) ?? this.#failed(job, claim, error);
    }
  }

  /**
   * Returns the outcome of an attempt that lost its database connection or its object store, or met a migration of
   * another process. None of these says anything about the job, up to a limit: the job itself may crash the database.
   * The lane waits for the database in any case, so only an outage of the store needs a delay.
   */
  #interrupted({ id, name }: FetchedJob, error: unknown): Outcome | undefined {
    const lostStore = error instanceof StorageUnavailable;
    const lostConnection = isConnectionLoss(error);
    if (!lostStore && !lostConnection && !isOutdatedPlan(error)) return undefined;
    const count = (this.#interruptions.get(id) ?? 0) + 1;
    this.#interruptions.set(id, count);
    const { storageWaitMs = 500 } = this.#options;
    const delayMs = lostStore ? Math.min(storageWaitMs * 2 ** Math.min(count - 1, 16), LONGEST_STORAGE_WAIT_MS) : 0;
    const event = lostStore
      ? 'lost its object store'
      : lostConnection
        ? 'lost its database connection'
        : 'met a migration of another process';
    // During an outage each waiting job logs a line at each attempt, so that of a store has no stack.
    const reason = lostStore ? { reason: error.message } : { err: error };
    this.#options.logger.warn({ ...reason, job: name, jobId: id, delayMs }, `a job ${event}`);
    const isFree = count <= (lostStore ? MAX_STORAGE_INTERRUPTIONS : MAX_FREE_INTERRUPTIONS);
    return isFree ? { kind: 'interrupted', delayMs } : undefined;
  }

  async #failed(job: FetchedJob, claim: JobClaim, error: unknown): Promise<Outcome> {
    const { logger, onExhausted } = this.#options;
    const { id: jobId, name, payload, attempts: attempt, maxAttempts } = job;
    const reason = error instanceof Error ? error : new Error(String(error));
    // Its input is out of date and its successor is queued, so the failure is of no interest.
    if (await isReplaced(this.#db, claim).catch(() => false)) return { kind: 'done' };
    logger.warn({ err: error, job: name, jobId, attempt, maxAttempts }, 'a job failed');
    if (attempt < maxAttempts) return { kind: 'failed', message: reason.message };
    try {
      await onExhausted(name, payload, reason);
      return { kind: 'exhausted', message: reason.message };
    } catch (failure) {
      // The job stays, and the sweeper reports it.
      return { kind: 'failed', message: failure instanceof Error ? failure.message : String(failure) };
    }
  }

  /** Returns whether the claim held, so that the job has ended or waits for its next run. */
  async #record({ id, name, attempts }: FetchedJob, claim: JobClaim, outcome: Outcome): Promise<boolean> {
    const { logger } = this.#options;
    if (outcome.kind === 'interrupted') return handBack(this.#db, claim, outcome.delayMs);
    if (outcome.kind === 'failed' && !(await isReplaced(this.#db, claim))) {
      return failClaimed(this.#db, claim, outcome.message);
    }
    this.#interruptions.delete(id);
    if (outcome.kind === 'recorded' || (await this.#completions.call(claim))) return true;
    // An attempt that crashes PostgreSQL counts too.
    if (outcome.kind === 'exhausted') return failClaimed(this.#db, claim, outcome.message);
    const event = 'a job had ended before, was taken over, or runs again because PostgreSQL crashed';
    logger.info({ job: name, jobId: id, attempt: attempts }, event);
    return false;
  }
}
