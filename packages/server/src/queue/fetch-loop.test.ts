import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FetchLoop } from './fetch-loop.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Starts a lane of four slots. `fetches` holds the time of each fetch, in ms, and the number of its jobs. */
function lane() {
  const fetches: { at: number; jobs: number }[] = [];
  const state = { due: 0, working: 0, startedAt: performance.now() };
  const loop = new FetchLoop<null>({
    name: 'test',
    concurrency: 4,
    free: () => 4 - state.working,
    fetch: async (limit) => {
      const jobs = Math.min(limit, state.due);
      state.due -= jobs;
      fetches.push({ at: performance.now() - state.startedAt, jobs });
      return Array.from({ length: jobs }, () => null);
    },
    start: () => (state.working += 1),
    releaseUnknown: async () => 0,
    gatherMs: 20,
    busyMs: 100,
    onRestart: () => undefined,
    logger: pino({ level: 'silent' }),
  });
  const announce = (jobs: number): void => {
    state.due += jobs;
    loop.wake();
  };
  const end = (jobs: number): void => {
    for (let ended = 0; ended < jobs; ended += 1) {
      state.working -= 1;
      loop.slotFreed();
    }
  };
  const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { fetches, announce, end, passed, stop: () => loop.stop() };
}

test('an idle lane fetches an announced job at once', async () => {
  const { fetches, announce, passed, stop } = lane();
  await passed(200);
  announce(1);
  await passed(0);
  expect(fetches).toEqual([
    { at: 0, jobs: 0 },
    { at: 200, jobs: 1 },
  ]);
  await stop();
});

test('a lane that works gathers the jobs announced within busyMs', async () => {
  const { fetches, announce, passed, stop } = lane();
  await passed(200);
  announce(1);
  await passed(0);
  announce(1);
  await passed(50);
  announce(1);
  await passed(49);
  expect(fetches).toHaveLength(2);
  await passed(1);
  expect(fetches.at(-1)).toEqual({ at: 300, jobs: 2 });
  await stop();
});

test('with more jobs than slots a lane fetches as soon as half of the slots are free', async () => {
  const { fetches, announce, end, passed, stop } = lane();
  await passed(200);
  announce(10);
  await passed(10);
  end(1);
  await passed(10);
  expect(fetches.at(-1)).toEqual({ at: 200, jobs: 4 });
  end(1);
  await passed(0);
  expect(fetches.at(-1)).toEqual({ at: 220, jobs: 2 });
  await stop();
});

test('announcements for other lanes cost a fetch every 50 ms at most', async () => {
  const { fetches, announce, passed, stop } = lane();
  for (let round = 0; round < 20; round += 1) {
    announce(0);
    await passed(10);
  }
  expect(fetches.map(({ at }) => at)).toEqual([0, 50, 100, 150, 200]);
  await stop();
});

test('a lane without a free slot searches for jobs of others, four times a second at most', async () => {
  const searches: number[] = [];
  const started: string[] = [];
  const startedAt = performance.now();
  const loop = new FetchLoop<string>({
    name: 'test',
    concurrency: 1,
    free: () => 1 - started.length,
    fetch: async () => ['a'],
    fetchOthers: async () => {
      searches.push(performance.now() - startedAt);
      return searches.length === 2 ? ['b'] : [];
    },
    start: (job) => void started.push(job),
    releaseUnknown: async () => 0,
    gatherMs: 0,
    onRestart: () => undefined,
    logger: pino({ level: 'silent' }),
  });
  await vi.advanceTimersByTimeAsync(0);
  for (let at = 0; at < 60; at += 1) {
    loop.wake();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(searches).toEqual([0, 250, 500]);
  expect(started).toEqual(['a', 'b']);
  await loop.stop();
});
