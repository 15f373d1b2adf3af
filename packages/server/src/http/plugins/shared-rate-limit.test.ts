import { expect, test } from 'vitest';
import { SharedRateLimiter, type LeaseRequests } from './shared-rate-limit.ts';

/** A bucket in memory that several limiters share, as processes share a row. */
function bucket(now: () => number): { lease: LeaseRequests; calls: number } {
  let tokens: number | undefined;
  let atMs = 0;
  const shared = {
    calls: 0,
    lease: async (_keyId: string, { capacity, perSecond, tokens: wanted }: Parameters<LeaseRequests>[1]) => {
      shared.calls += 1;
      const available = Math.min(capacity, (tokens ?? capacity) + ((now() - atMs) / 1000) * perSecond);
      const granted = Math.min(wanted, Math.floor(available));
      [tokens, atMs] = [available - granted, now()];
      return { granted, left: tokens };
    },
  };
  return shared;
}

const outcome = (limiter: SharedRateLimiter): Promise<number> =>
  limiter.take('key').then(
    () => 200,
    (error: { status: number }) => error.status,
  );

test('two processes together admit the requests of one limit, in few leases', async () => {
  let now = 0;
  const shared = bucket(() => now);
  const processes = [1, 2].map(() => new SharedRateLimiter(600, shared.lease, () => now));
  const statuses = await Promise.all(Array.from({ length: 1000 }, (_, index) => outcome(processes[index % 2]!)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(600);
  expect(shared.calls).toBeLessThanOrEqual(62);
  now += 1_000;
  expect((await Promise.all([1, 2].map((of) => outcome(processes[of - 1]!)))).toSorted()).toEqual([200, 429]);
});

test('a refused request names the time until the next one, and needs no lease while nothing is left', async () => {
  let now = 0;
  const shared = bucket(() => now);
  const limiter = new SharedRateLimiter(6, shared.lease, () => now);
  for (let request = 0; request < 6; request += 1) {
    expect(await limiter.take('key')).toMatchObject({ 'ratelimit-remaining': String(5 - request) });
  }
  await expect(limiter.take('key')).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '10' } });
  const { calls } = shared;
  now = 4_500;
  await expect(limiter.take('key')).rejects.toMatchObject({
    headers: { 'retry-after': '6', 'ratelimit-remaining': '0' },
  });
  expect(shared.calls).toBe(calls);
  now = 10_000;
  expect(await outcome(limiter)).toBe(200);
});

test('counts its own requests while the database is away', async () => {
  const limiter = new SharedRateLimiter(
    2,
    () => Promise.reject(new Error('no connection')),
    () => 0,
  );
  expect([await outcome(limiter), await outcome(limiter), await outcome(limiter)]).toEqual([200, 200, 429]);
});
