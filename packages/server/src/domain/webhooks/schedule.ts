/** When a delivery that failed is tried again (CONTRACT section 9). */
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
/** Up to so much of the delay is added, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * Milliseconds to the next attempt; null when there is none left. `retries`: those that were made already. A receiver's
 * `Retry-After` counts when it is later; `random` is in [0, 1).
 */
export function retryDelayMs(retries: number, retryAfterMs: number | null, random: number): number | null {
  const delay = DELAYS_MS[retries];
  if (delay === undefined) return null;
  return Math.round(Math.max(delay, retryAfterMs ?? 0) * (1 + JITTER * random));
}
