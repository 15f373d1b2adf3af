import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { CallLimits } from './call-limits.ts';
import { RateBudgets } from './rate-budgets.ts';

let database: TestDatabase;
let budgets: RateBudgets;
let limits: CallLimits;
const failures: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  budgets = new RateBudgets({ database: database.db });
  limits = new CallLimits({ database: database.db, budgets, onError: (error) => failures.push(error) });
});
afterAll(() => database.drop());

test('concurrent leases of a budget never get more than it holds, and it refills', async () => {
  const lease = { capacity: 50, perSecond: 0.001, tokens: 7 };
  const granted = await Promise.all(Array.from({ length: 12 }, () => budgets.lease('a', lease)));
  expect(granted.map((each) => each.granted).toSorted((a, b) => b - a)).toEqual([7, 7, 7, 7, 7, 7, 7, 1, 0, 0, 0, 0]);
  await database.pool.query("update rate_budgets set refilled_at = refilled_at - interval '3000 seconds'");
  expect(await budgets.lease('a', lease)).toMatchObject({ granted: 3 });
  await database.pool.query("update rate_budgets set refilled_at = refilled_at - interval '2 hours'");
  await budgets.removeIdle();
  expect((await database.pool.query('select from rate_budgets')).rowCount).toBe(0);
});

test('a configuration starts no more calls than its limit allows over all processes', async () => {
  const waits = await Promise.all(Array.from({ length: 9 }, () => limits.takeCall('models-1', 60)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(6);
  for (const wait of waits.filter((each) => each > 0)) expect(wait).toBeLessThanOrEqual(1_112);
});

test('at most so many calls run at a time; the slot of a dead process is free after its expiry', async () => {
  const slots = await Promise.all(Array.from({ length: 8 }, () => limits.takeSlot('models-2', 3)));
  const taken = slots.filter((slot) => slot !== null);
  // Concurrent requests may collide on a slot and get none; the next attempt finds the rest.
  expect(taken.length).toBeGreaterThanOrEqual(1);
  while (taken.length < 3) taken.push((await limits.takeSlot('models-2', 3))!);
  expect(await limits.takeSlot('models-2', 3)).toBeNull();
  taken[0]!();
  await expect.poll(() => limits.takeSlot('models-2', 3)).not.toBeNull();
  await database.pool.query('update call_slots set expires_at = now()');
  expect(await limits.takeSlot('models-2', 3)).not.toBeNull();
  for (const free of taken) free();
  expect(failures).toEqual([]);
});
