/** The retry schedule of deliveries (CONTRACT section 9). */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
/** Maximum share of the delay that is added at random, so that concurrent failures are not retried together. */
const JITTER = 0.1;

/**
 * Returns the delay before the next attempt, in ms; null if the schedule is exhausted. `retries` counts the retries so
 * far. A receiver's `Retry-After` applies if it is later; `random` is in [0, 1).
 */
export function retryDelayMs(retries: number, retryAfterMs: number | null, random: number): number | null {
  const delay = DELAYS_MS[retries];
  if (delay === undefined) return null;
  return Math.round(Math.max(delay, retryAfterMs ?? 0) * (1 + JITTER * random));
}
