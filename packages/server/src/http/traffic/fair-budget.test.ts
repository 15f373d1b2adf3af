import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BudgetExhausted, FairBudget, type Share } from './fair-budget.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const budget = (total = 900, maxWaiting = 10): FairBudget => new FairBudget({ total, waitMs: 1_000, maxWaiting });

interface Try {
  share: Share;
  /** `met`, `waiting`, or the shortage with which the demand was refused. */
  state: string;
}

/** Demands units and returns the state of the demand, which changes later. */
function demand(of: FairBudget, name: string, units: number): Try {
  const [workspaceId = '', keyId = ''] = name.split('/');
  const asked: Try = { share: of.open({ workspaceId, keyId }), state: 'waiting' };
  try {
    const growing = asked.share.grow(units);
    if (growing === undefined) asked.state = 'met';
    else
      growing.then(
        () => (asked.state = 'met'),
        (error: unknown) => (asked.state = error instanceof BudgetExhausted ? error.shortage : String(error)),
      );
  } catch (error) {
    asked.state = error instanceof BudgetExhausted ? error.shortage : String(error);
  }
  return asked;
}

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const times = (of: FairBudget, name: string, count: number): Try[] =>
  Array.from({ length: count }, () => demand(of, name, 100));
const met = (tries: readonly Try[]): number => tries.filter(({ state }) => state === 'met').length;

test('a key alone gets a third, and others still find room', () => {
  const shared = budget();
  expect(met(times(shared, 'a/1', 9))).toBe(3);
  expect(met(times(shared, 'a/2', 9))).toBe(1);
  expect(met(times(shared, 'b/3', 9))).toBe(1);
  expect(met(times(shared, 'c/4', 9))).toBe(1);
  expect(shared.used).toBe(600);
});

test('a lone demand above the share of a key is met, and one above the budget once nothing is in use', async () => {
  const shared = budget();
  const first = demand(shared, 'a/1', 800);
  const larger = demand(shared, 'b/2', 5_000);
  expect([first.state, larger.state]).toEqual(['met', 'waiting']);
  first.share.release();
  await settled();
  expect([larger.state, shared.used]).toEqual(['met', 5_000]);
  larger.share.release();
  expect(shared.used).toBe(0);
});

test('demands of a key are met in their order, and the key that holds least comes first', async () => {
  const shared = budget(300);
  const hog = demand(shared, 'a/1', 100);
  const [second, third] = [demand(shared, 'a/1', 100), demand(shared, 'a/1', 10)];
  const other = demand(shared, 'b/2', 250);
  await settled();
  expect([second.state, third.state, other.state]).toEqual(['waiting', 'waiting', 'waiting']);
  hog.share.release();
  await settled();
  expect([second.state, third.state, other.state]).toEqual(['met', 'waiting', 'waiting']);
  second.share.release();
  await settled();
  expect([third.state, other.state]).toEqual(['met', 'met']);
});

test('waiting demands are refused when no demand of their key was met for the time, and say whose use it was', async () => {
  const shared = budget(300);
  const hog = demand(shared, 'a/1', 100);
  const [own, foreign] = [demand(shared, 'a/1', 100), demand(shared, 'b/2', 250)];
  await vi.advanceTimersByTimeAsync(999);
  expect([own.state, foreign.state]).toEqual(['waiting', 'waiting']);
  await vi.advanceTimersByTimeAsync(1);
  expect([own.state, foreign.state]).toEqual(['own', 'all']);
  hog.share.release();
  expect(shared.used).toBe(0);
});

test('a queue that moves is not refused', async () => {
  const shared = budget(300);
  const all = times(shared, 'a/1', 4);
  for (const [at, { share }] of all.entries()) {
    await vi.advanceTimersByTimeAsync(600);
    expect(all[at]?.state).toBe('met');
    share.release();
    await settled();
  }
});

test('a key has a bounded number of waiting demands, and one that is released leaves the queue', async () => {
  const shared = budget(300, 2);
  const all = times(shared, 'a/1', 4);
  expect(all.map(({ state }) => state)).toEqual(['met', 'waiting', 'waiting', 'own']);
  all[1]?.share.release();
  all[0]?.share.release();
  await settled();
  expect(all.map(({ state }) => state)).toEqual(['met', 'own', 'met', 'own']);
  all[2]?.share.release();
  expect(shared.used).toBe(0);
});

test('units in use already are settled without waiting, up to half of what is free, so that others find room', async () => {
  const shared = budget(300);
  const { share } = demand(shared, 'a/1', 10);
  share.settle(1_000);
  expect([share.units, shared.used]).toEqual([155, 155]);
  const [own, other] = [demand(shared, 'a/1', 1), demand(shared, 'b/2', 100)];
  expect([own.state, other.state]).toEqual(['waiting', 'met']);
  share.settle(5);
  await settled();
  expect([own.state, shared.used]).toEqual(['met', 106]);
});
