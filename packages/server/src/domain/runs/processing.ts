/**
 * The states of a run while a worker processes it. Every change is fenced: it takes effect only while the run still
 * carries the token of this attempt, so a worker that was suspended and resumes late changes nothing.
 */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Notifications } from '../../database/notifications.ts';
import type { Database, RunRecord } from '../../database/tables.ts';
import type { JobClaim } from '../../queue/job-queue.ts';
import { endRun, type RunEnd } from './ending.ts';
import { statusesFor } from './status.ts';
import { runTopic, type RunFailure } from './types.ts';

/** Maximum number of attempts that may end without a result; each one took its worker down. */
const MAX_ATTEMPTS = 20;

export interface RunAttempt {
  token: string;
  /** The job of the attempt, which ends with the run; null for an attempt without a job. */
  job: JobClaim | null;
  run: RunRecord;
}

/** Another attempt, a cancellation or a deletion superseded the attempt; the job ends without a result. */
export class RunSuperseded extends Error {
  override readonly name = 'RunSuperseded';
}

export interface ProcessingDeps {
  database: Kysely<Database>;
  notifications: Notifications;
  deadlineMs: number;
  retentionMs: number;
}

export class RunProcessing {
  readonly #deps: ProcessingDeps;

  constructor(deps: ProcessingDeps) {
    this.#deps = deps;
  }

  /** Begins an attempt; returns undefined if the run needs no processing. */
  async claim(workspaceId: string, runId: string, job: JobClaim | null = null): Promise<RunAttempt | undefined> {
    const token = randomUUID();
    const now = new Date();
    const run = await this.#deps.database
      .updateTable('runs')
      .set((eb) => ({
        status: 'running',
        attempt_token: token,
        attempts: eb('attempts', '+', 1),
        deadline_at: new Date(now.getTime() + this.#deps.deadlineMs),
        started_at: eb.fn.coalesce('started_at', eb.val(now)),
        modified_at: now,
      }))
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', runId)
      .where('status', 'in', statusesFor('claim'))
      .returningAll()
      .executeTakeFirst();
    if (run === undefined) return undefined;
    const attempt = { token, job, run };
    if (run.attempts <= MAX_ATTEMPTS) return attempt;
    const message = `Processing was interrupted ${MAX_ATTEMPTS} times`;
    await this.finish(attempt, { outcome: null, error: { type: 'internal', message } });
    return undefined;
  }

  /** Records the progress of a slow run; returns false if the attempt was superseded. */
  async progress(attempt: RunAttempt, fraction: number): Promise<boolean> {
    const result = await this.#deps.database
      .updateTable('runs')
      .set({ progress: fraction })
      .where('id', '=', attempt.run.id)
      .where('attempt_token', '=', attempt.token)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Ends the run with its event, its notification and its job. Throws `RunSuperseded`. */
  async finish(attempt: RunAttempt, end: RunEnd): Promise<void> {
    const statuses = statusesFor(end.error === null ? 'succeed' : 'fail');
    const { database, retentionMs } = this.#deps;
    const held = { statuses, token: attempt.token };
    const ended = await endRun(database, attempt.run, held, end, retentionMs, attempt.job);
    if (ended === undefined) throw new RunSuperseded(`run ${attempt.run.id} went on without this attempt`);
  }

  /** Returns the run to the queue without a result: the job will run again. The attempt does not count. */
  async release(attempt: RunAttempt): Promise<void> {
    await this.#deps.database
      .updateTable('runs')
      .set((eb) => ({
        status: 'queued',
        attempt_token: null,
        attempts: eb.fn('greatest', [eb('attempts', '-', 1), eb.val(0)]),
        deadline_at: null,
        progress: 0,
        modified_at: new Date(),
      }))
      .where('id', '=', attempt.run.id)
      .where('attempt_token', '=', attempt.token)
      .where('status', 'in', statusesFor('release'))
      .execute();
  }

  /** Fails a run that is still being processed, for the reaper: without the token of its attempt. */
  async failOverdue(run: RunRecord, error: RunFailure): Promise<boolean> {
    const held = { statuses: statusesFor('fail'), token: run.attempt_token };
    const { database, retentionMs } = this.#deps;
    return (await endRun(database, run, held, { outcome: null, error }, retentionMs)) !== undefined;
  }

  /** Watches the run; `lost` is aborted when it was cancelled, deleted or taken over. Call `stop` at the end. */
  watch(attempt: RunAttempt): { lost: AbortSignal; stop: () => void } {
    const controller = new AbortController();
    const check = async (): Promise<void> => {
      const held = await this.#deps.database
        .selectFrom('runs')
        .select('id')
        .where('id', '=', attempt.run.id)
        .where('attempt_token', '=', attempt.token)
        .executeTakeFirst();
      if (held === undefined) controller.abort(new RunSuperseded(`run ${attempt.run.id} was taken away`));
    };
    // A failed check is ignored: the fence at the end catches a lost run.
    const listener = (): void => void check().catch(() => undefined);
    return { lost: controller.signal, stop: this.#deps.notifications.subscribe(runTopic(attempt.run.id), listener) };
  }
}
