/** Retry policy of calls to providers: number of attempts and pauses between them. */
import type { Clock } from './clock.ts';
import { ProviderError } from './provider-error.ts';
import type { RequestGate } from './request-gate.ts';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
/**
 * Maximum pause that a provider may request. A longer one usually means an exhausted daily quota, so the call fails.
 */
const MAX_PAUSE_MS = 60_000;

/** Waits until the next attempt is due; throws the failure if there is none. `attempt` counts from 1 to `attempts`. */
export async function awaitNextAttempt(
  failure: unknown,
  attempt: number,
  clock: Clock,
  signal: AbortSignal,
  attempts = ATTEMPTS,
): Promise<void> {
  if (!(failure instanceof ProviderError) || failure.retry === null) throw failure;
  const pauseMs = failure.retry.afterMs ?? backoff(attempt, clock.random());
  if (attempt >= attempts || pauseMs > MAX_PAUSE_MS) throw failure;
  await clock.pause(pauseMs, signal);
  signal.throwIfAborted();
}

/** Applies a pause that the provider requested to all calls of the configuration. */
export function holdGate(gate: RequestGate, failure: unknown): void {
  const afterMs = failure instanceof ProviderError ? failure.retry?.afterMs : null;
  if (typeof afterMs === 'number' && afterMs <= MAX_PAUSE_MS) gate.hold(afterMs);
}

/** Returns 0.5, 1, 2, 4 s, minus up to half of it at random, so that callers do not retry at the same time. */
const backoff = (attempt: number, random: number): number => FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 - random / 2);
