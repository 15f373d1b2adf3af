import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { RateLimiter } from './rate-limit.ts';

const refusal = (take: () => unknown): ApiError | undefined => {
  try {
    take();
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error : undefined;
  }
};

test('a key gets its requests at once, then one as each is refilled; others are not touched', () => {
  let now = 0;
  const limiter = new RateLimiter(6, () => now);
  const remaining = Array.from({ length: 6 }, () => limiter.take('a')['ratelimit-remaining']);
  expect(remaining).toEqual(['5', '4', '3', '2', '1', '0']);
  const refused = refusal(() => limiter.take('a'));
  expect(refused?.status).toBe(429);
  expect(refused?.headers).toEqual({
    'ratelimit-limit': '6',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '60',
    'retry-after': '10',
  });
  expect(limiter.take('b')['ratelimit-remaining']).toBe('5');
  now = 9_999;
  expect(refusal(() => limiter.take('a'))?.headers['retry-after']).toBe('1');
  now = 10_000;
  expect(limiter.take('a')).toEqual({ 'ratelimit-limit': '6', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' });
  now = 1_000_000;
  expect(limiter.take('a')['ratelimit-remaining']).toBe('5');
});

test('a limit of 0 is none', () => {
  const limiter = new RateLimiter(0, () => 0);
  expect(
    Array.from({ length: 1000 }, () => limiter.take('a')).every((headers) => Object.keys(headers).length === 0),
  ).toBe(true);
});
