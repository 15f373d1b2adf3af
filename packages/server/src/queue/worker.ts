/**
 * Runs jobs: graphile-worker fetches them (woken by LISTEN, 2 ms), the handlers do the work. A job is only removed by
 * the run that still holds it, so a process that was stopped for a while and wakes cannot remove its successor's job.
 * The handler's effects are fenced by their own means, a document's `attempt_token`, not here.
 */
import { EventEmitter, setMaxListeners } from 'node:events';
import { run, type JobHelpers, type Runner, type RunnerOptions, type WorkerPool } from 'graphile-worker';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { withLogContext, type Logger } from '../logger.ts';
import { graphileLogger } from '../database/graphile-logger.ts';
import type { Database } from '../database/tables.ts';
import { BatchedCalls } from '../shared/batched-calls.ts';
import { pause } from '@quire/shared/pause';
import type { Instance } from './instance.ts';
import type { JobContext, JobHandler, JobName } from './job-queue.ts';
import { completeClaimed, handBack, isReplaced, unlockPool, type Claim } from './locks.ts';
import type { ExhaustedHook } from './sweeper.ts';

export type JobHandlers = { [N in JobName]?: JobHandler<N> };

export interface WorkerOptions {
  db: Kysely<Database>;
  /** The queue's own connections: one that listens, and a few for fetching and finishing jobs. */
  pool: Pool;
  handlers: JobHandlers;
  /** Jobs at once. */
  concurrency: number;
  /** Between two fetches of jobs, so that more are fetched and begun at once. Default 0. */
  gatherMs?: number;
  instance: Instance;
  logger: Logger;
  onExhausted: ExhaustedHook;
  /** How long `stop` lets running jobs go on. */
  graceMs?: number;
  /** How long they then have to notice their signal, before they are handed back without them. */
  abortMs?: number;
}

/** The run went on while another process had taken the job over. */
class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

type AnyHandler = (payload: unknown, context: JobContext) => Promise<void>;

interface Attempt {
  name: string;
  handler: AnyHandler;
  payload: unknown;
  claim: Claim;
  context: JobContext;
}

const restartMs = 1000;
const COMPLETE_DELAY_MS = 50;
const FETCHED_AHEAD_MS = 500;

export class Worker {
  readonly #options: WorkerOptions;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #running = new Map<string, Claim>();
  /** Cut off by `stop`, to be handed back. */
  readonly #unfinished: Claim[] = [];
  readonly #completions: BatchedCalls<Claim, boolean>;
  #runner: Runner | undefined;
  #workerPool: WorkerPool | undefined;
  #stopped: Promise<void> | undefined;

  private constructor(options: WorkerOptions) {
    this.#options = options;
    this.#completions = new BatchedCalls({
      maxBatchSize: options.concurrency,
      runBatch: (claims) => completeClaimed(options.db, claims),
      runSingle: async (claim) => (await completeClaimed(options.db, [claim]))[0] === true,
      onBatchFailed: (error) => options.logger.warn({ err: error }, 'a batch of finished jobs could not be removed'),
    });
    // Every task of every job listens to this one signal.
    setMaxListeners(0, this.#aborting.signal);
  }

  static async start(options: WorkerOptions): Promise<Worker> {
    const worker = new Worker(options);
    await worker.#run();
    return worker;
  }

  /**
   * Takes no more jobs, waits `graceMs` for those that run, then aborts their signal and hands them back, so that
   * another process runs them at once and their attempt is not counted.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { graceMs = 20_000, abortMs = 2000 } = this.#options;
    this.#stopping.abort();
    // Rejects when it has ended by itself just now.
    const finished = Promise.resolve(this.#runner?.stop()).then(
      () => true,
      () => true,
    );
    if (await this.#settles(finished, graceMs)) return;
    this.#aborting.abort();
    await this.#end(finished, abortMs);
    // Not before the pool has ended: a fetch of its own that is under way could take the job again.
    for (const claim of this.#unfinished) await handBack(this.#options.db, claim);
  }

  async #end(finished: Promise<boolean>, abortMs: number): Promise<void> {
    if (await this.#settles(finished, abortMs)) return;
    for (const claim of this.#running.values()) this.#unfinished.push(claim);
    // It reports jobs whose handlers still run as an error.
    await Promise.resolve(this.#workerPool?.forcefulShutdown('stopped')).catch(() => undefined);
    await finished;
  }

  async #settles(finished: Promise<boolean>, ms: number): Promise<boolean> {
    const timer = new AbortController();
    try {
      return await Promise.race([finished, pause(ms, [timer.signal]).then(() => false)]);
    } finally {
      timer.abort();
    }
  }

  async #run(): Promise<void> {
    const { db, instance, logger } = this.#options;
    // The jobs of a pool that ended by itself: no other process takes them while this one lives.
    const former = this.#workerPool?.id;
    if (former !== undefined) await unlockPool(db, former);
    const events: RunnerOptions['events'] = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => {
      this.#workerPool = workerPool;
    });
    this.#runner = await run(this.#runnerOptions(events));
    void this.#runner.promise.then(
      () => this.#runAgain(),
      (error: unknown) => this.#runAgain(error),
    );
    if (this.#workerPool === undefined) throw new Error('graphile-worker made no worker pool');
    await instance.addWorkerPool(this.#workerPool.id, former);
    logger.debug({ workerPool: this.#workerPool.id }, 'the worker runs');
  }

  /** graphile-worker ends when it cannot finish a job, as when the database is away in that moment. */
  async #runAgain(reason?: unknown): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#options.logger.warn({ err: reason }, 'the worker ended; starting it again');
      await pause(restartMs, [this.#stopping.signal]);
      if (this.#stopping.signal.aborted) return;
      try {
        await this.#run();
        return;
      } catch (error) {
        reason = error;
      }
    }
  }

  #runnerOptions(events: RunnerOptions['events']): RunnerOptions {
    const { pool, handlers, concurrency, logger, gatherMs = 0 } = this.#options;
    const taskList: RunnerOptions['taskList'] = {};
    for (const [name, handler] of Object.entries(handlers)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `enqueue` took the payload by the same name
      taskList[name] = this.#task(name, handler as AnyHandler);
    }
    return {
      pgPool: pool,
      taskList,
      concurrency,
      noHandleSignals: true,
      logger: graphileLogger(logger),
      ...(events === undefined ? {} : { events }),
      preset: {
        worker: {
          pollInterval: 1000,
          // Unbatched, a database that is away in this moment is an unhandled rejection. Finished jobs are gone already
          // (`completeClaimed`), so this is only about asking seldom.
          completeJobBatchDelay: COMPLETE_DELAY_MS,
          failJobBatchDelay: 0,
          // Jobs are fetched for all idle workers at once. What none of them takes soon is another process's again.
          localQueue: {
            size: concurrency,
            ttl: FETCHED_AHEAD_MS,
            ...(gatherMs > 0 ? { refetchDelay: { durationMs: gatherMs, threshold: concurrency } } : {}),
          },
        },
      },
    };
  }

  #task(name: string, handler: AnyHandler): (payload: unknown, helpers: JobHelpers) => Promise<void> {
    return async (payload, { job }) => {
      const claim: Claim = {
        jobId: job.id,
        poolId: job.locked_by ?? '',
        attempt: job.attempts,
        runAt: job.run_at,
        keyed: job.key !== null,
      };
      const { id: jobId, attempts: attempt, max_attempts: maxAttempts } = job;
      this.#running.set(job.id, claim);
      try {
        await this.#attempt({
          name,
          handler,
          payload,
          claim,
          context: { jobId, attempt, maxAttempts, signal: this.#aborting.signal },
        });
      } finally {
        this.#running.delete(job.id);
      }
      if (!(await this.#completions.call(claim))) {
        throw new ClaimLostError(`Job ${job.id} (${name}) was taken over while attempt ${job.attempts} ran`);
      }
    };
  }

  async #attempt({ name, handler, payload, claim, context }: Attempt): Promise<void> {
    const { db, logger, onExhausted } = this.#options;
    try {
      context.signal.throwIfAborted();
      await withLogContext({ jobId: context.jobId }, () => handler(payload, context));
    } catch (error) {
      if (context.signal.aborted) {
        this.#unfinished.push(claim);
        throw error;
      }
      // What it worked on is out of date, and its successor runs: nothing is lost, and nothing to be reported.
      if (await isReplaced(db, claim)) return;
      const { jobId, attempt, maxAttempts } = context;
      logger.warn({ err: error, job: name, jobId, attempt, maxAttempts }, 'a job failed');
      if (attempt < maxAttempts) throw error;
      // When this throws, the job stays and the sweeper reports it.
      await onExhausted(name, payload, error instanceof Error ? error : new Error(String(error)));
    }
  }
}
