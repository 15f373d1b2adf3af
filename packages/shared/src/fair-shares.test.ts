import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { FairShares } from './fair-shares.ts';

/** A queue over a clock that the test sets. */
function setUp() {
  const clock = { ms: 0 };
  const shares = new FairShares(() => clock.ms);
  const queue = new FairQueue<{ owner: string; rank: number; name: string }>(shares);
  const add = (...names: string[]): void => {
    for (const name of names) queue.add({ owner: name.slice(0, 1), rank: Number(name.slice(1)), name });
  };
  return { clock, shares, queue, add };
}

it('takes the line of one owner in the order of ranks, and equal ranks in the order of arrival', () => {
  const { queue, add } = setUp();
  add('a3', 'a1', 'a2', 'a1');
  const names = Array.from({ length: 5 }, () => queue.take()?.name);
  expect(names).toEqual(['a1', 'a1', 'a2', 'a3', undefined]);
});

it('takes the only item of one owner before the thousand of another that holds a slot', () => {
  const { shares, queue, add } = setUp();
  shares.take('a');
  add(...Array.from({ length: 1_000 }, (_, at) => `a${at}`), 'b99999');
  expect(queue.take()?.name).toBe('b99999');
  expect([queue.length, queue.take()?.name]).toEqual([1_000, 'a0']);
});

it('takes the owner that has used less time if both hold as many', () => {
  const { clock, shares, queue, add } = setUp();
  const give = [shares.take('a'), shares.take('b')];
  clock.ms = 1_000;
  give[1]?.();
  clock.ms = 5_000;
  give[0]?.();
  add('a1', 'a2', 'b9');
  expect([queue.take()?.name, shares.holders]).toEqual(['b9', []]);
});

it('counts the time of slots that are still held', () => {
  const { clock, shares } = setUp();
  shares.take('a');
  clock.ms = 1_000;
  shares.take('b');
  expect([shares.compare('a', 'b') > 0, shares.heldBy('a'), shares.holders]).toEqual([true, 1, ['a', 'b']]);
});

it('forgets half of the used time every 30 s', () => {
  const { clock, shares } = setUp();
  const give = shares.take('a');
  clock.ms = 8_000;
  give();
  clock.ms = 68_000;
  const more = shares.take('b');
  clock.ms = 70_500;
  more();
  // 8 s of use have become 1.9 s.
  expect(shares.compare('a', 'b')).toBeLessThan(0);
});

it('gives a slot back once, however often that is called', () => {
  const { shares } = setUp();
  const give = shares.take('a');
  shares.take('a');
  give();
  give();
  expect(shares.heldBy('a')).toBe(1);
});

it('skips items that are not accepted, also those of the owner whose turn it is', () => {
  const { queue, add } = setUp();
  add('a1', 'b2', 'a3');
  expect(queue.take(({ rank }) => rank > 1)?.name).toBe('a3');
  expect(queue.take(({ rank }) => rank > 9)).toBeUndefined();
});

it('removes an item that waits', () => {
  const { queue } = setUp();
  const item = { owner: 'a', rank: 1, name: 'a1' };
  queue.add(item);
  expect([queue.remove(item), queue.remove(item), queue.length]).toEqual([true, false, 0]);
});
