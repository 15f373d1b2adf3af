/**
 * The loop of a lane: fetches due jobs while it has free slots, and otherwise confirms that the database answers. Every
 * statement has a time limit, every failure leads to another try, and a watchdog replaces a round that hangs all the
 * same. So as long as the process runs, a lane fetches jobs within seconds of the database's return.
 */
import { randomInt } from 'node:crypto';
import type { Logger } from '../logger.ts';
import { InterruptibleWait } from '../shared/interruptible-wait.ts';

export interface FetchLoopOptions<Job> {
  name: string;
  /** Maximum number of concurrent jobs. */
  concurrency: number;
  /** Number of jobs that can start now. */
  free: () => number;
  fetch: (limit: number) => Promise<readonly Job[]>;
  /** Fetches jobs for slots beyond `concurrency`, while that is reached; those of workspaces without a slot. */
  fetchOthers?: () => Promise<readonly Job[]>;
  start: (job: Job) => void;
  /** Frees jobs that are locked for this lane and unknown to it; resolves with their number. */
  releaseUnknown: () => Promise<number>;
  /** Minimum time between two fetches, in ms; ignored if jobs are left and half of the slots are free. */
  gatherMs: number;
  /** The same while jobs of the lane run, in ms. Default `gatherMs`. */
  busyMs?: number;
  /** Time without a finished round after which the round is replaced, in ms. Default 30,000. */
  stallMs?: number;
  onRestart: () => void;
  logger: Logger;
}

/** Found without an announcement after this time at the latest: jobs that become due, and lost announcements. */
const POLL_MS = 1_000;
const VERIFY_EVERY_MS = 5_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** Minimum time to the next fetch after one that found no job, in ms: most announcements are for other lanes. */
const EMPTY_MS = 50;
/** Minimum time between two searches for jobs of workspaces without a slot, in ms. */
const OTHERS_MS = 250;

export class FetchLoop<Job> {
  readonly #options: FetchLoopOptions<Job>;
  readonly #watchdog: NodeJS.Timeout;
  /** Counts the loops that were begun; a former one that hangs must not act when it resumes. */
  #generation = 0;
  #stopped = false;
  #woken = false;
  readonly #resting = new InterruptibleWait();
  readonly #gathering = new InterruptibleWait();
  /** The last fetch filled all free slots, so that there may be more due jobs. */
  #backlog = false;
  #foundNone = false;
  #running: Promise<void> = Promise.resolve();
  #roundEndedAt = performance.now();
  #answeredAt = performance.now();
  #fetchedAt = performance.now();
  #searchedAt = -Infinity;
  #verifiedAt = 0;
  #failures = 0;

  constructor(options: FetchLoopOptions<Job>) {
    this.#options = options;
    const stallMs = options.stallMs ?? 30_000;
    this.#watchdog = setInterval(() => this.#restartIfStalled(stallMs), Math.min(5_000, stallMs / 4));
    this.#begin();
  }

  /** Time since the database last answered a fetch or, while all slots are taken, a check; in ms. */
  get silentMs(): number {
    return performance.now() - this.#answeredAt;
  }

  /** Time since the last successful fetch, in ms. */
  get sinceFetchMs(): number {
    return performance.now() - this.#fetchedAt;
  }

  /** Fetches soon instead of at the next poll. */
  wake(): void {
    this.#woken = true;
    if (this.#failures === 0) this.#resting.end();
  }

  /** Frees jobs that no slot works on, and fetches, soon. */
  recheck(): void {
    this.#verifiedAt = -Infinity;
    this.wake();
  }

  /** Fetches again if more jobs may be due. */
  slotFreed(): void {
    if (this.#pauseMs() < performance.now() - this.#fetchedAt) this.#gathering.end();
    if (this.#backlog) this.wake();
  }

  /** Resolves when no fetch is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#watchdog);
    this.#stopped = true;
    this.#resting.end();
    this.#gathering.end();
    await this.#running;
  }

  #begin(): void {
    this.#generation += 1;
    this.#roundEndedAt = performance.now();
    this.#running = this.#loop(this.#generation);
  }

  #restartIfStalled(stallMs: number): void {
    const stalledMs = Math.round(performance.now() - this.#roundEndedAt);
    if (stalledMs < stallMs) return;
    this.#options.logger.error({ lane: this.#options.name, stalledMs }, 'a job lane stalled; restarting it');
    // Frees what the former loop fetched, if its statement is executed after all.
    this.#verifiedAt = 0;
    this.#options.onRestart();
    this.#begin();
  }

  async #loop(generation: number): Promise<void> {
    const current = (): boolean => generation === this.#generation && !this.#stopped;
    while (current()) {
      const waitMs = await this.#round(current).catch((error: unknown) => this.#failed(error, current()));
      if (!current()) return;
      this.#roundEndedAt = performance.now();
      await this.#wait(waitMs);
      if (this.#failures === 0) await this.#gather();
    }
  }

  /** Fetches once, or checks while all slots are taken. Resolves with the time until the next round, in ms. */
  async #round(current: () => boolean): Promise<number> {
    const { free, fetch, start } = this.#options;
    await this.#verify(current);
    const limit = free();
    this.#backlog = limit <= 0;
    if (!current()) return POLL_MS;
    if (limit <= 0) return this.#searchOthers(current);
    const jobs = await fetch(limit);
    // Jobs that arrive for a replaced loop stay locked until the next `releaseUnknown`.
    if (!current()) return POLL_MS;
    this.#answered();
    this.#fetchedAt = performance.now();
    this.#backlog = jobs.length === limit;
    this.#foundNone = jobs.length === 0;
    for (const job of jobs) start(job);
    return this.#backlog && free() > 0 ? 0 : POLL_MS;
  }

  /** Resolves with the time until the next round, in ms. */
  async #searchOthers(current: () => boolean): Promise<number> {
    const { fetchOthers, start } = this.#options;
    if (fetchOthers === undefined) return POLL_MS;
    const restMs = OTHERS_MS - (performance.now() - this.#searchedAt);
    if (restMs > 0) return restMs;
    this.#searchedAt = performance.now();
    const jobs = await fetchOthers();
    if (!current()) return POLL_MS;
    this.#answered();
    for (const job of jobs) start(job);
    return POLL_MS;
  }

  async #verify(current: () => boolean): Promise<void> {
    const { releaseUnknown, name, logger } = this.#options;
    if (performance.now() - this.#verifiedAt < VERIFY_EVERY_MS) return;
    const released = await releaseUnknown();
    if (!current()) return;
    this.#answered();
    this.#verifiedAt = performance.now();
    if (released > 0) logger.warn({ lane: name, jobs: released }, 'freed locked jobs that no slot worked on');
  }

  #answered(): void {
    const { logger, name } = this.#options;
    this.#answeredAt = performance.now();
    if (this.#failures > 0) logger.info({ lane: name, failures: this.#failures }, 'the job lane fetches again');
    this.#failures = 0;
  }

  /** Resolves with the time to wait before the next try, with jitter, in ms. */
  #failed(error: unknown, current: boolean): number {
    if (!current) return 0;
    const { logger, name } = this.#options;
    this.#failures += 1;
    // The answer may have been lost after the commit.
    this.#verifiedAt = 0;
    logger[this.#failures === 1 ? 'warn' : 'debug'](
      { err: error, lane: name, failures: this.#failures },
      'a job lane cannot fetch; trying again',
    );
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_RETRY_MS);
    return randomInt(Math.ceil(waitMs / 2), waitMs + 1);
  }

  /** Waits for the time, or until `wake` or `stop`. After a failure only `stop` shortens it. */
  async #wait(ms: number): Promise<void> {
    if (ms > 0 && !this.#stopped && !(this.#woken && this.#failures === 0)) await this.#resting.for(ms);
    this.#woken = false;
  }

  /** Delays a fetch, so that several jobs start, and later write, together. A lane without work waits the least. */
  async #gather(): Promise<void> {
    const sinceMs = performance.now() - this.#fetchedAt;
    const restMs = this.#pauseMs() - sinceMs;
    if (restMs > 0 && !this.#stopped) await this.#gathering.for(restMs);
  }

  /** Returns the time between the last fetch and the next one, in ms. */
  #pauseMs(): number {
    const { gatherMs, busyMs = gatherMs, free, concurrency } = this.#options;
    const idle = free();
    if (this.#backlog && idle * 2 >= concurrency) return 0;
    if (idle < concurrency) return busyMs;
    return this.#foundNone ? Math.max(gatherMs, EMPTY_MS) : gatherMs;
  }
}
