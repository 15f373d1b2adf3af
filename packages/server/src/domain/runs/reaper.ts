/**
 * Ends runs that no worker ends, and deletes inputs and outputs on time. Several processes may run it concurrently:
 * every step is idempotent.
 */
import { sql, type Kysely } from 'kysely';
import type { Database, RunRecord } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import { hasJob, hasWaitingJob, tendAbandoned, type WorkKind } from '../../queue/abandoned-work.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { endRun } from './ending.ts';
import { enqueueRun, runJobKey, type QueuedRun } from './enqueue.ts';
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
const RUNS_PER_STEP = 500;

const key = sql`${runJobKey('')}::text || runs.id`;

export class RunReaper {
  readonly #deps: RunReaperDeps;

  constructor(deps: RunReaperDeps) {
    this.#deps = deps;
  }

  /** Runs one round and returns the number of runs that it ended, queued again or cleared. */
  async run(): Promise<number> {
    const tended = await tendAbandoned(this.#deps.database, runWork(this.#deps));
    return tended + (await this.#expireAll());
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

const runWork = (deps: RunReaperDeps): WorkKind<QueuedRun, RunRecord> => ({
  findJobless: async (transaction, limit) => {
    const { rows } = await sql<QueuedRun>`
      select id, workspace_id from runs where status in ('queued', 'running') and not ${hasJob(key)}
      order by modified_at limit ${limit} for update skip locked`.execute(transaction);
    return rows;
  },
  enqueue: async (transaction, runs) => {
    for (const run of runs) await enqueueRun(transaction, deps.queue, run);
  },
  findOverdue: async (limit) => {
    const { rows } = await sql<RunRecord>`
      select * from runs
      where status in ('queued', 'running') and deadline_at < ${new Date(Date.now() - GRACE_MS)}
        and not ${hasWaitingJob(key)}
      order by modified_at limit ${limit}`.execute(deps.database);
    return rows;
  },
  fail: (run) => {
    const message = `Processing took longer than ${deps.deadlineMs / 1000} s`;
    return deps.processing.failOverdue(run, { type: 'timeout', message });
  },
});
