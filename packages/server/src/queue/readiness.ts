/** Whether the job queue makes progress, for `/readyz`. */
import type { LaneStatus } from './worker.ts';

export interface QueueState {
  /** False if a lane of this process has stalled. */
  ready: boolean;
  /** One line for people: the age of the oldest due job, and the last fetch of each lane. */
  detail: string;
}

/** A lane without an answer of the database for this long counts as stalled. */
export const STALLED_AFTER_MS = 30_000;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export function describeQueue(oldestDueMs: number | null, lanes: readonly LaneStatus[]): QueueState {
  const stalled = lanes.filter(({ silentMs }) => silentMs > STALLED_AFTER_MS);
  const oldest = oldestDueMs === null ? 'no job is due' : `the oldest due job has waited ${seconds(oldestDueMs)}`;
  const fetches = lanes.map(({ name, sinceFetchMs, running }) => {
    return `lane ${name} fetched ${seconds(sinceFetchMs)} ago, ${running} running`;
  });
  const detail = [oldest, ...fetches].join('; ');
  if (stalled.length === 0) return { ready: true, detail };
  return { ready: false, detail: `stalled: ${stalled.map(({ name }) => name).join(', ')}; ${detail}` };
}
