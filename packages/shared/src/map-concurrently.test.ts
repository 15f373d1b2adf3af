import { expect, test } from 'vitest';
import { mapConcurrently } from './map-concurrently.ts';

/** Lets pending promise callbacks run. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

test('results are in the order of the items, and no more than the limit run at once', async () => {
  let running = 0;
  let peak = 0;
  const results = await mapConcurrently([3, 1, 2], 2, async (item, index) => {
    running += 1;
    peak = Math.max(peak, running);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    running -= 1;
    return `${index}:${item}`;
  });
  expect([results, peak]).toEqual([['0:3', '1:1', '2:2'], 2]);
});

test('a failure starts no further item and rejects after the started work has ended', async () => {
  const started: number[] = [];
  let finishOther = (): void => undefined;
  const other = new Promise<void>((resolve) => (finishOther = resolve));
  let outcome = 'pending';
  const done = mapConcurrently([0, 1, 2, 3], 2, async (item) => {
    started.push(item);
    if (item === 0) throw new Error('the first failed');
    await other;
  }).catch((error: unknown) => (outcome = String(error)));
  await settle();
  expect([outcome, started]).toEqual(['pending', [0, 1]]);
  finishOther();
  await done;
  expect([outcome, started]).toEqual(['Error: the first failed', [0, 1]]);
});

test('no items give no results', async () => {
  expect(await mapConcurrently([], 3, async () => 1)).toEqual([]);
});
