/** Whether the job queue makes progress, for `/readyz`, and whether only a restart helps it, for `/healthz`. */
import type { LaneWait } from './graphile-queue.ts';
import type { LaneStatus } from './worker.ts';

export interface QueueState {
  /** False if a lane of this process has stalled. */
  ready: boolean;
  /** One line for people: lanes whose jobs wait too long, the oldest due job, and the last fetch of each lane. */
  detail: string;
}

/** A lane without an answer of the database for this long counts as stalled. */
export const STALLED_AFTER_MS = 30_000;

/** A due job of a workspace without a running one that has waited for so long is reported. */
const STARVED_AFTER_MS = 60_000;

/** A lane whose watchdog did not revive it in this time needs a new process. */
const DEAD_AFTER_MS = 90_000;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Jobs that wait do not make a process unready: it would lose its requests too, and another one has the same queue. */
export function describeQueue(waits: readonly LaneWait[], lanes: readonly LaneStatus[]): QueueState {
  const stalled = lanes.filter(({ silentMs }) => silentMs > STALLED_AFTER_MS);
  const starved = waits.flatMap(({ lane, starvedMs }) =>
    starvedMs === null || starvedMs <= STARVED_AFTER_MS
      ? []
      : [`lane ${lane} starves a workspace, whose oldest due job has waited ${seconds(starvedMs)}`],
  );
  const due = waits.flatMap(({ oldestDueMs }) => oldestDueMs ?? []);
  const oldest = due.length === 0 ? 'no job is due' : `the oldest due job has waited ${seconds(Math.max(...due))}`;
  const fetches = lanes.map(({ name, sinceFetchMs, running }) => {
    return `lane ${name} fetched ${seconds(sinceFetchMs)} ago, ${running} running`;
  });
  const detail = [...starved, oldest, ...fetches].join('; ');
  if (stalled.length === 0) return { ready: true, detail };
  return { ready: false, detail: `stalled: ${stalled.map(({ name }) => name).join(', ')}; ${detail}` };
}

/** Returns why the process must be restarted, provided that the database answers; null if it need not. */
export function describeDeath(lanes: readonly LaneStatus[]): string | null {
  const dead = lanes.filter(({ silentMs }) => silentMs > DEAD_AFTER_MS);
  if (dead.length === 0) return null;
  const each = dead.map(({ name, silentMs, restarts }) => {
    return `lane ${name} has been silent for ${seconds(silentMs)}, although it was restarted ${restarts} times`;
  });
  return each.join('; ');
}
