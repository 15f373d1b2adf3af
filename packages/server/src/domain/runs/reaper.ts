/**
 * Ends runs that no worker ends, and deletes inputs and outputs on time. Several processes may run it concurrently:
 * every step is idempotent.
 */
import type { Kysely } from 'kysely';
import type { Database, RunRecord } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { endRun } from './ending.ts';
import { enqueueRun, runJobKey } from './enqueue.ts';
import type { RunProcessing } from './processing.ts';
import { statusesFor } from './status.ts';
import { isEnded } from './types.ts';

export interface RunReaperDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  store: ObjectStore;
  notifications: Notifications;
  processing: RunProcessing;
  deadlineMs: number;
  retentionMs: number;
}

/** Grace period after the deadline, in ms, in which a worker can end its own overdue run. */
const GRACE_MS = 60_000;
/** Minimum age, in ms: a younger run may be between its commit and its job. */
const SETTLING_MS = 60_000;
const RUNS_PER_STEP = 500;

export class RunReaper {
  readonly #deps: RunReaperDeps;

  constructor(deps: RunReaperDeps) {
    this.#deps = deps;
  }

  /** Runs one round and returns the number of runs that it ended, queued again or cleared. */
  async run(): Promise<number> {
    return (await this.#tendAll()) + (await this.#expireAll());
  }

  async #tendAll(): Promise<number> {
    const suspects = await this.#suspects();
    const states = await this.#deps.queue.states(suspects.map(({ id }) => runJobKey(id)));
    let count = 0;
    for (const run of suspects) if (await this.#tend(run, states.get(runJobKey(run.id)))) count += 1;
    return count;
  }

  #suspects(): Promise<RunRecord[]> {
    const overdue = new Date(Date.now() - GRACE_MS);
    const settled = new Date(Date.now() - SETTLING_MS);
    return this.#deps.database
      .selectFrom('runs')
      .selectAll()
      .where('status', 'in', ['queued', 'running'])
      .where((eb) =>
        eb.or([
          eb('deadline_at', '<', overdue),
          eb.and([eb('deadline_at', 'is', null), eb('modified_at', '<', settled)]),
        ]),
      )
      .orderBy('modified_at')
      .limit(RUNS_PER_STEP)
      .execute();
  }

  async #tend(run: RunRecord, job: 'waiting' | 'running' | undefined): Promise<boolean> {
    if (job === 'waiting') return false;
    if (job === 'running') {
      if (run.deadline_at === null) return false;
      const message = `Processing took longer than ${this.#deps.deadlineMs / 1000} s`;
      return this.#deps.processing.failOverdue(run, { type: 'timeout', message });
    }
    await this.#deps.database.transaction().execute((transaction) => enqueueRun(transaction, this.#deps.queue, run));
    return true;
  }

  /** Expires all runs that are due, in steps: after a downtime there may be many. */
  async #expireAll(): Promise<number> {
    let count = 0;
    for (;;) {
      const due = await this.#deps.database
        .selectFrom('runs')
        .selectAll()
        .where('outputs_deleted_at', 'is', null)
        .where('expires_at', '<', new Date())
        .orderBy('expires_at')
        .limit(RUNS_PER_STEP)
        .execute();
      for (const run of due) await (isEnded(run) ? this.#clear(run) : this.#expire(run));
      count += due.length;
      if (due.length < RUNS_PER_STEP) return count;
    }
  }

  /** Deletes files before the record is updated: after a crash in between, the run is cleared again. */
  async #clear(run: RunRecord): Promise<void> {
    await this.#deps.store.deletePrefix(storageKeys.run(run.workspace_id, run.id));
    await this.#deps.database
      .updateTable('runs')
      .set({ outcome: null, outcome_bytes: 0, outputs_deleted_at: new Date() })
      .where('id', '=', run.id)
      .where('outputs_deleted_at', 'is', null)
      .execute();
  }

  async #expire(run: RunRecord): Promise<void> {
    const { database, retentionMs } = this.#deps;
    const error = { type: 'expired', message: 'The run was not submitted within 24 hours' };
    await endRun(database, run, { statuses: statusesFor('expire') }, { outcome: null, error }, retentionMs);
  }
}
