/**
 * The rank of a task within the line of its owner is its arrival plus a handicap that grows with its estimated
 * duration. Small files overtake large ones that came up to the handicap before them, so no task waits for ever.
 */

/** Estimated duration above which a task is long. */
const LONG_TASK_MS = 1500;
const MAX_HANDICAP_MS = 60_000;
/** A file may wait up to ten times its estimated duration. */
const HANDICAP_FACTOR = 10;

export type TaskPriority = 'high' | 'normal' | 'low';
const PRIORITY_MS: Readonly<Record<TaskPriority, number>> = { high: -10_000, normal: 0, low: 30_000 };

export function rankOf(arrivedAtMs: number, expectedMs: number, priority: TaskPriority): number {
  return arrivedAtMs + Math.min(expectedMs * HANDICAP_FACTOR, MAX_HANDICAP_MS) + PRIORITY_MS[priority];
}

/** Whether a task must not use the child that is reserved for short tasks. */
export const isLong = (expectedMs: number): boolean => expectedMs > LONG_TASK_MS;
