/**
 * The states of a run while a worker processes it. Every change is fenced: it holds only while the run still carries
 * the token of this attempt. A worker that was stopped and wakes late finds another token and changes nothing.
 */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Notifications } from '../../database/notifications.ts';
import type { Database, RunRecord } from '../../database/tables.ts';
import { endRun, type RunEnd } from './ending.ts';
import { statusesFor } from './status.ts';
import { runTopic, type RunFailure } from './types.ts';

/** After so many interrupted attempts a run is given up: each one took its worker down. */
const MAX_ATTEMPTS = 20;

export interface RunAttempt {
  token: string;
  run: RunRecord;
}

/** Thrown when another attempt, a cancellation or a deletion took the run away; the job is simply over. */
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

  /** Begins an attempt; undefined when there is nothing (left) to do. */
  async claim(workspaceId: string, runId: string): Promise<RunAttempt | undefined> {
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
    const attempt = { token, run };
    if (run.attempts <= MAX_ATTEMPTS) return attempt;
    const message = `Processing was interrupted ${MAX_ATTEMPTS} times`;
    await this.finish(attempt, { outcome: null, error: { type: 'internal', message } });
    return undefined;
  }

  /** Where a slow run stands; false when the attempt is superseded. */
  async progress(attempt: RunAttempt, fraction: number): Promise<boolean> {
    const result = await this.#deps.database
      .updateTable('runs')
      .set({ progress: fraction })
      .where('id', '=', attempt.run.id)
      .where('attempt_token', '=', attempt.token)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Ends the run, tells of it and records its event. Throws `RunSuperseded`. */
  async finish(attempt: RunAttempt, end: RunEnd): Promise<void> {
    const statuses = statusesFor(end.error === null ? 'succeed' : 'fail');
    const { database, retentionMs } = this.#deps;
    const ended = await endRun(database, attempt.run, { statuses, token: attempt.token }, end, retentionMs);
    if (ended === undefined) throw new RunSuperseded(`run ${attempt.run.id} went on without this attempt`);
  }

  /** Gives the run back untouched: the job will run again. */
  async release(attempt: RunAttempt): Promise<void> {
    await this.#deps.database
      .updateTable('runs')
      .set({ status: 'queued', attempt_token: null, deadline_at: null, progress: 0, modified_at: new Date() })
      .where('id', '=', attempt.run.id)
      .where('attempt_token', '=', attempt.token)
      .where('status', 'in', statusesFor('release'))
      .execute();
  }

  /** For the reaper: fails a run whatever attempt holds it, if it is still being processed. */
  async failOverdue(run: RunRecord, error: RunFailure): Promise<boolean> {
    const held = { statuses: statusesFor('fail'), token: run.attempt_token };
    const { database, retentionMs } = this.#deps;
    return (await endRun(database, run, held, { outcome: null, error }, retentionMs)) !== undefined;
  }

  /** A signal that is aborted when the attempt lost the run: cancelled, deleted, taken over. `stop` ends the watching. */
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
    // A look that fails is made up for by the fence at the end.
    const listener = (): void => void check().catch(() => undefined);
    return { lost: controller.signal, stop: this.#deps.notifications.subscribe(runTopic(attempt.run.id), listener) };
  }
}
