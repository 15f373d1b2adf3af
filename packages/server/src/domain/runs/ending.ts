/** The end of a run, whoever ends it: state, event and notification in one transaction. */
import type { Updateable } from 'kysely';
import type { Notifications } from '../../database/notifications.ts';
import type { RunOutcome, RunRecord, RunsTable } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { recordEvent } from '../events/outbox.ts';
import { RunRepository } from './repository.ts';
import { runTopic, type RunFailure } from './types.ts';

export interface RunEnd {
  /** Null: nothing was made, and no file was looked at. */
  outcome: RunOutcome | null;
  /** Null: the run is done. */
  error: RunFailure | null;
}

export interface EndingDeps {
  notifications: Notifications;
  /** How long inputs and outputs are kept after the end. */
  retentionMs: number;
}

/** The caller holds the row's lock and knows that the run may end. */
export async function endRun(
  transaction: Executor,
  run: RunRecord,
  { outcome, error }: RunEnd,
  deps: EndingDeps,
): Promise<RunRecord> {
  const now = new Date();
  const status = error === null ? 'done' : 'failed';
  const changes: Updateable<RunsTable> = {
    status,
    error_type: error?.type ?? null,
    // PostgreSQL's text holds no NUL, which a file's own words may.
    error_message: error?.message.replaceAll('\0', '') ?? null,
    attempt_token: null,
    deadline_at: null,
    modified_at: now,
    finished_at: now,
    expires_at: new Date(now.getTime() + deps.retentionMs),
  };
  if (error === null) changes.progress = 1;
  if (outcome !== null) {
    const json = JSON.stringify(outcome);
    changes.outcome = json;
    changes.outcome_bytes = Buffer.byteLength(json);
  }
  const ended = await new RunRepository(transaction).update(run.workspace_id, run.id, changes);
  if (ended === undefined) throw new Error(`run ${run.id} vanished under its lock`);
  await recordEvent(transaction, run.workspace_id, 'process.completed', {
    runId: run.id,
    status,
    files: run.files.map(({ name }) => name),
    error: error === null ? null : { type: error.type, message: changes.error_message },
  });
  await deps.notifications.publish(transaction, runTopic(run.id));
  return ended;
}
