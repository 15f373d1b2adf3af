import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StartBackoff } from './start-backoff.ts';

let starts: number[];
let told: unknown[];
let backoff: StartBackoff;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  starts = [];
  told = [];
  backoff = new StartBackoff({
    firstMs: 1000,
    retry: () => starts.push(Date.now()),
    onFailed: (failure) => told.push(failure.cause),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

test('children that fail together count once, and each retry doubles the delay, up to a minute', () => {
  const reason = new Error('a module is missing');
  for (let round = 0; round < 9; round += 1) {
    backoff.failed(reason);
    backoff.failed(new Error('its spare'));
    vi.advanceTimersToNextTimer();
  }
  const waits = starts.map((at, index) => at - (starts[index - 1] ?? 0));
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(told).toEqual(starts.map(() => reason));
});

test('a successful start ends the failure, and the next series starts with a short delay', () => {
  backoff.failed(new Error('no memory'));
  vi.advanceTimersByTime(1000);
  expect(backoff.failure?.message).toBe('The processes that read files do not start');
  backoff.succeeded();
  expect(backoff.failure).toBeUndefined();
  backoff.failed(new Error('no memory'));
  vi.advanceTimersByTime(1000);
  expect(starts).toEqual([1000, 2000]);
});

test('nothing is started after stop', () => {
  backoff.failed(new Error('no memory'));
  backoff.stop();
  vi.advanceTimersByTime(60_000);
  expect(starts).toEqual([]);
});
