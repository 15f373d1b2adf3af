import { expect, onTestFinished, test, vi } from 'vitest';
import { BatchedCalls } from './batched-calls.ts';

interface Recorded {
  calls: BatchedCalls<number, string>;
  batches: number[][];
  singles: number[];
  failures: string[];
  /** Ends the running batch. */
  finish: () => void;
}

/** Odd numbers succeed in a batch, even ones only singly, and a batch with a zero fails as a whole. */
function record(maxBatchSize = 100, lingerMs = 0): Recorded {
  const batches: number[][] = [];
  const singles: number[] = [];
  const failures: string[] = [];
  let finish = (): void => undefined;
  const calls = new BatchedCalls<number, string>({
    maxBatchSize,
    lingerMs,
    runBatch: async (items) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => (finish = resolve));
      if (items.includes(0)) throw new Error('zero');
      return items.map((item) => (item % 2 === 1 ? `batch ${item}` : undefined));
    },
    runSingle: async (item) => {
      singles.push(item);
      if (item < 0) throw new Error(`negative ${item}`);
      return `single ${item}`;
    },
    onBatchFailed: (error) => void failures.push(String(error)),
  });
  return { calls, batches, singles, failures, finish: () => finish() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('calls of one turn form one batch, and calls made while it runs form the next one', async () => {
  const { calls, batches, finish } = record();
  const first = [calls.call(1), calls.call(3)];
  await turn();
  const second = [calls.call(5), calls.call(7), calls.call(9)];
  finish();
  expect(await Promise.all(first)).toEqual(['batch 1', 'batch 3']);
  await turn();
  finish();
  expect(await Promise.all(second)).toEqual(['batch 5', 'batch 7', 'batch 9']);
  expect(batches).toEqual([
    [1, 3],
    [5, 7, 9],
  ]);
});

test('an item without a result runs singly and fails singly', async () => {
  const { calls, singles, finish } = record();
  const results = [calls.call(1), calls.call(2), calls.call(-2)];
  const settled = Promise.allSettled(results);
  await turn();
  finish();
  expect(await settled).toEqual([
    { status: 'fulfilled', value: 'batch 1' },
    { status: 'fulfilled', value: 'single 2' },
    { status: 'rejected', reason: new Error('negative -2') },
  ]);
  expect(singles).toEqual([2, -2]);
});

test('when a batch fails each of its items runs singly, and the next batch runs', async () => {
  const { calls, singles, failures, finish } = record();
  const failing = [calls.call(1), calls.call(0)];
  await turn();
  const after = calls.call(3);
  finish();
  expect(await Promise.all(failing)).toEqual(['single 1', 'single 0']);
  await turn();
  finish();
  expect(await after).toBe('batch 3');
  expect(singles).toEqual([1, 0]);
  expect(failures).toEqual(['Error: zero']);
});

test('a batch holds at most maxBatchSize items', async () => {
  const { calls, batches, finish } = record(2);
  const results = Promise.all([calls.call(1), calls.call(3), calls.call(5)]);
  await turn();
  finish();
  await turn();
  finish();
  await results;
  expect(batches).toEqual([[1, 3], [5]]);
});

test('a batch starts lingerMs after the one before, or as soon as it is full', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { calls, batches, finish } = record(3, 20);
  const first = calls.call(1);
  await turn();
  finish();
  await first;
  const several = [calls.call(3), calls.call(5)];
  await vi.advanceTimersByTimeAsync(19);
  expect(batches).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(1);
  finish();
  await Promise.all(several);
  const full = [calls.call(7), calls.call(9), calls.call(11)];
  await turn();
  expect(batches).toEqual([[1], [3, 5], [7, 9, 11]]);
  finish();
  await Promise.all(full);
  await vi.advanceTimersByTimeAsync(20);
  const lone = calls.call(13);
  await turn();
  finish();
  expect(await lone).toBe('batch 13');
});
