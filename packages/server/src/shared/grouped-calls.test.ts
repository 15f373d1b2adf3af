import { expect, onTestFinished, test, vi } from 'vitest';
import { GroupedCalls } from './grouped-calls.ts';

interface Recorded {
  calls: GroupedCalls<number, string>;
  groups: number[][];
  alone: number[];
  failures: string[];
  /** Ends the group that runs. */
  finish: () => void;
}

/** Odd numbers succeed together, even ones only alone, and a group with a zero fails as a whole. */
function record(most = 100, restMs = 0): Recorded {
  const groups: number[][] = [];
  const alone: number[] = [];
  const failures: string[] = [];
  let finish = (): void => undefined;
  const calls = new GroupedCalls<number, string>({
    most,
    restMs,
    together: async (items) => {
      groups.push([...items]);
      await new Promise<void>((resolve) => (finish = resolve));
      if (items.includes(0)) throw new Error('zero');
      return items.map((item) => (item % 2 === 1 ? `together ${item}` : undefined));
    },
    alone: async (item) => {
      alone.push(item);
      if (item < 0) throw new Error(`negative ${item}`);
      return `alone ${item}`;
    },
    onGroupFailed: (error) => void failures.push(String(error)),
  });
  return { calls, groups, alone, failures, finish: () => finish() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('calls of one turn are one group, those that come meanwhile the next one', async () => {
  const { calls, groups, finish } = record();
  const first = [calls.call(1), calls.call(3)];
  await turn();
  const second = [calls.call(5), calls.call(7), calls.call(9)];
  finish();
  expect(await Promise.all(first)).toEqual(['together 1', 'together 3']);
  await turn();
  finish();
  expect(await Promise.all(second)).toEqual(['together 5', 'together 7', 'together 9']);
  expect(groups).toEqual([
    [1, 3],
    [5, 7, 9],
  ]);
});

test('an item without a result is done alone, and fails alone', async () => {
  const { calls, alone, finish } = record();
  const results = [calls.call(1), calls.call(2), calls.call(-2)];
  const settled = Promise.allSettled(results);
  await turn();
  finish();
  expect(await settled).toEqual([
    { status: 'fulfilled', value: 'together 1' },
    { status: 'fulfilled', value: 'alone 2' },
    { status: 'rejected', reason: new Error('negative -2') },
  ]);
  expect(alone).toEqual([2, -2]);
});

test('when a group fails each of its items is done alone, and the next group runs', async () => {
  const { calls, alone, failures, finish } = record();
  const failing = [calls.call(1), calls.call(0)];
  await turn();
  const after = calls.call(3);
  finish();
  expect(await Promise.all(failing)).toEqual(['alone 1', 'alone 0']);
  await turn();
  finish();
  expect(await after).toBe('together 3');
  expect(alone).toEqual([1, 0]);
  expect(failures).toEqual(['Error: zero']);
});

test('a group has a largest size', async () => {
  const { calls, groups, finish } = record(2);
  const results = Promise.all([calls.call(1), calls.call(3), calls.call(5)]);
  await turn();
  finish();
  await turn();
  finish();
  await results;
  expect(groups).toEqual([[1, 3], [5]]);
});

test('after a group of several the next one waits a while for more, after a lone call none', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { calls, groups, finish } = record(100, 20);
  const first = calls.call(1);
  await turn();
  finish();
  await first;
  const several = [calls.call(3), calls.call(5)];
  await turn();
  finish();
  await Promise.all(several);
  const next = calls.call(7);
  await turn();
  expect(groups).toEqual([[1], [3, 5]]);
  const last = calls.call(9);
  await vi.advanceTimersByTimeAsync(20);
  finish();
  expect(await Promise.all([next, last])).toEqual(['together 7', 'together 9']);
  expect(groups).toEqual([[1], [3, 5], [7, 9]]);
});
