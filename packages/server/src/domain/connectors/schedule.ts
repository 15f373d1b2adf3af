/** Due times of scheduled synchronisations. They are stored in PostgreSQL; croner only computes them. */
import { Cron } from 'croner';

/** Maximum share of the interval by which a synchronisation starts later, so that connectors do not start together. */
const JITTER_SHARE = 0.1;
/** Number of failures in a row after which a connector is synchronised once a day at most. */
const FAILURES_BEFORE_BACKOFF = 5;
const DAY_MS = 24 * 3_600_000;

const parse = (schedule: string): Cron => new Cron(schedule, { timezone: 'UTC', mode: '5-part', paused: true });

/** Returns why the schedule is refused; undefined if it is valid and has a next time. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    return parse(schedule).nextRun() === null ? 'the schedule never comes due' : undefined;
  } catch {
    return 'a schedule is a cron expression of five fields: minute, hour, day of month, month, day of week';
  }
}

export interface ScheduleState {
  schedule: string | null;
  paused: boolean;
  failures: number;
  needsAttention: boolean;
}

/**
 * Returns the next due time after `now`, with jitter; null for a connector without a schedule, or one that waits for a
 * user. Missed times are skipped. `random` is in 0..1.
 */
export function nextDue(state: ScheduleState, now: Date, random: number): Date | null {
  if (state.schedule === null || state.paused || state.needsAttention) return null;
  const [next, following] = parse(state.schedule).nextRuns(2, now);
  if (next === undefined) return null;
  const intervalMs = following === undefined ? 0 : following.getTime() - next.getTime();
  const due = next.getTime() + Math.floor(intervalMs * JITTER_SHARE * random);
  const earliest = state.failures >= FAILURES_BEFORE_BACKOFF ? now.getTime() + DAY_MS : 0;
  return new Date(Math.max(due, earliest));
}
