/** Ends a run: writes its state, event and notification together. */
import type { Updateable } from 'kysely';
import type { RunRecord, RunsTable } from '../../database/tables.ts';
import type { RunOutcome } from '@quire/process/outcome';
import type { Executor } from '../../database/transaction.ts';
import type { JobClaim } from '../../queue/job-queue.ts';
import { eventRow } from '../events/outbox.ts';
import { RunRepository, type RunHold } from './repository.ts';
import type { RunFailure } from './types.ts';

export interface RunEnd {
  /** Outcome; null if no file was processed. */
  outcome: RunOutcome | null;
  /** Error; null if the run is done. */
  error: RunFailure | null;
}

/**
 * Ends the run, and the job of its attempt if given, and returns it; undefined if `hold` does not match. `retentionMs`
 * limits inputs and outputs.
 */
export async function endRun(
  executor: Executor,
  run: RunRecord,
  held: RunHold,
  { outcome, error }: RunEnd,
  retentionMs: number,
  job: JobClaim | null = null,
): Promise<RunRecord | undefined> {
  const now = new Date();
  const status = error === null ? 'done' : 'failed';
  // PostgreSQL stores no NUL in text, but a message may quote a file that contains one.
  const failure = error === null ? null : { type: error.type, message: error.message.replaceAll('\0', '') };
  const changes: Updateable<RunsTable> = {
    status,
    error_type: failure?.type ?? null,
    error_message: failure?.message ?? null,
    attempt_token: null,
    deadline_at: null,
    modified_at: now,
    finished_at: now,
    expires_at: new Date(now.getTime() + retentionMs),
  };
  if (error === null) changes.progress = 1;
  if (outcome !== null) {
    const json = JSON.stringify(outcome);
    changes.outcome = json;
    changes.outcome_bytes = Buffer.byteLength(json);
  }
  const files = run.files.map(({ name }) => name);
  const event = eventRow(run.workspace_id, 'process.completed', { runId: run.id, status, files, error: failure });
  const ended = await new RunRepository(executor).end(run, held, changes, { event, job });
  return ended === undefined ? undefined : { ...ended, outcome };
}
