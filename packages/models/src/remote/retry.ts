/** How often a call to a provider is made again, and after which pauses. */
import type { Clock } from './clock.ts';
import { ProviderError } from './provider-error.ts';
import type { RequestGate } from './request-gate.ts';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
/** A provider that asks for more is over its quota for the day, say: better to fail than to hold a worker. */
const LONGEST_PAUSE_MS = 60_000;

/** Waits until the next attempt is due; throws the failure when there is to be none. `attempt` counts from 1 to `attempts`. */
export async function awaitNextAttempt(
  failure: unknown,
  attempt: number,
  clock: Clock,
  signal: AbortSignal,
  attempts = ATTEMPTS,
): Promise<void> {
  if (!(failure instanceof ProviderError) || failure.retry === null) throw failure;
  const pauseMs = failure.retry.afterMs ?? backoff(attempt, clock.random());
  if (attempt >= attempts || pauseMs > LONGEST_PAUSE_MS) throw failure;
  await clock.pause(pauseMs, signal);
  signal.throwIfAborted();
}

/** A pause that the provider asked for is for all calls of the configuration. */
export function holdGate(gate: RequestGate, failure: unknown): void {
  const afterMs = failure instanceof ProviderError ? failure.retry?.afterMs : null;
  if (typeof afterMs === 'number' && afterMs <= LONGEST_PAUSE_MS) gate.hold(afterMs);
}

/** 0.5, 1, 2, 4 s; up to half of it is left to chance, so that many callers do not come back at once. */
const backoff = (attempt: number, random: number): number => FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 - random / 2);
