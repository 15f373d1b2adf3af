import { expect, test } from 'vitest';
import { retryDelayMs } from './schedule.ts';

test('nine retries after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, then none', () => {
  const seconds = Array.from({ length: 10 }, (_, retries) => (retryDelayMs(retries, null, 0) ?? -1000) / 1000);
  expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, -1]);
});

test('jitter adds at most 10 %', () => {
  expect([retryDelayMs(0, null, 0.5), retryDelayMs(1, null, 0.999_999)]).toEqual([5250, 330_000]);
});

test('Retry-After can delay a retry but not advance it', () => {
  expect([retryDelayMs(0, 60_000, 0), retryDelayMs(1, 1000, 0), retryDelayMs(9, 1000, 0)]).toEqual([
    60_000,
    300_000,
    null,
  ]);
});
