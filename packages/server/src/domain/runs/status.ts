/** The legal transitions of a run's status, as one table. Deletion is not among them: it is final in every state. */
import type { RunStatus } from '../../database/tables.ts';

export type RunEvent =
  | 'addFile'
  | 'submit'
  /** A worker begins an attempt, the first one or another after a crash. */
  | 'claim'
  /** A worker gives it back unfinished. */
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

/** The status after the event; undefined when the event is not allowed now. */
export function nextStatus(status: RunStatus, event: RunEvent): RunStatus | undefined {
  return TRANSITIONS[status][event];
}

/** The statuses in which the event is allowed. */
export function statusesFor(event: RunEvent): RunStatus[] {
  return (Object.keys(TRANSITIONS) as RunStatus[]).filter((status) => nextStatus(status, event) !== undefined);
}
