import type { Clock } from '../remote/clock.ts';

export interface FakeClock extends Clock {
  /** In milliseconds, in order. */
  readonly pauses: readonly number[];
}

/** Time stands still but for pauses, which take none and are remembered; chance is 0. */
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
