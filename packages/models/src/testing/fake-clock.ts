import type { Clock } from '../remote/clock.ts';

export interface FakeClock extends Clock {
  /** Pauses in milliseconds, in order. */
  readonly pauses: readonly number[];
}

/** Returns a clock that only advances in pauses, which take no time and are recorded; random numbers are 0. */
export function fakeClock(): FakeClock {
  const pauses: number[] = [];
  let now = Date.parse('2026-05-04T09:30:00Z');
  return {
    pauses,
    now: () => now,
    pause: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
    random: () => 0,
  };
}
