/** Time and randomness, which tests replace. */
import { pause } from '@quire/shared/pause';

export interface Clock {
  now(): number;
  /** Resolves early when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** A number from 0 to 1, for jitter. */
  random(): number;
}

export const systemClock: Clock = {
  now: Date.now,
  pause: (ms, signal) => pause(ms, [signal]),
  random: Math.random,
};
