import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

test('a delay is read from seconds and from a date, and is null without either', () => {
  const now = Date.UTC(2026, 10, 22, 12, 0, 0);
  const read = (header?: string): number | null => retryAfterMs(header, now);
  expect([read('3'), read('Sun, 22 Nov 2026 12:00:05 GMT'), read('Sun, 22 Nov 2026 11:00:00 GMT')]).toEqual([
    3000, 5000, 0,
  ]);
  expect([read(undefined), read('soon')]).toEqual([null, null]);
});
