/** Time and chance, so that tests have neither. */
import { pause } from '@quire/shared/pause';

export interface Clock {
  now(): number;
  /** Ends early when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** 0..1, for jitter. */
  random(): number;
}

export const systemClock: Clock = {
  now: Date.now,
  pause: (ms, signal) => pause(ms, [signal]),
  random: Math.random,
};
