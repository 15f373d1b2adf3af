/** The allowed transitions of a run's status. Deletion is not among them: it is possible in any status. */
import type { RunStatus } from '../../database/tables.ts';

export type RunEvent =
  | 'addFile'
  | 'submit'
  /** A worker begins an attempt, also after a crash of an earlier one. */
  | 'claim'
  /** A worker returns the run to the queue without a result. */
  | 'release'
  | 'succeed'
  | 'fail'
  | 'cancel'
  | 'expire';

const TRANSITIONS: Record<RunStatus, Partial<Record<RunEvent, RunStatus>>> = {
  idle: { addFile: 'idle', submit: 'queued', cancel: 'failed', expire: 'failed' },
  queued: { claim: 'running', fail: 'failed', cancel: 'failed' },
  running: { claim: 'running', release: 'queued', succeed: 'done', fail: 'failed', cancel: 'failed' },
  done: {},
  failed: {},
};

/** Returns the status after the event; undefined if the event is not allowed in this status. */
export function nextStatus(status: RunStatus, event: RunEvent): RunStatus | undefined {
  return TRANSITIONS[status][event];
}

/** Returns the statuses in which the event is allowed. */
export function statusesFor(event: RunEvent): RunStatus[] {
  return (Object.keys(TRANSITIONS) as RunStatus[]).filter((status) => nextStatus(status, event) !== undefined);
}
