import { expect, it } from 'vitest';
import { FairSlots } from './fair-slots.ts';

const slots = (size: number, reserve: number, timeoutMs = 60_000): FairSlots =>
  new FairSlots({ size, reserve, timeoutMs, timeoutError: () => new Error('no slot') });

/** Takes a slot and records the owner once it holds it. */
function taker(fair: FairSlots) {
  const held: string[] = [];
  const take = (owner: string): Promise<() => void> =>
    fair.take(owner).then((give) => {
      held.push(owner);
      return give;
    });
  return { held, take };
}

it('lets one owner take all slots but the reserve, and another its first at once', async () => {
  const { held, take } = taker(slots(4, 2));
  const first = await Promise.all([take('a'), take('a')]);
  const waiting = take('a');
  await take('b');
  expect(held).toEqual(['a', 'a', 'b']);
  first[0]?.();
  // One slot is free then, and the reserve is two.
  await take('c');
  expect(held).toEqual(['a', 'a', 'b', 'c']);
  void waiting;
});

it('gives a free slot to the owner that holds fewer, also if another came first', async () => {
  const { held, take } = taker(slots(2, 0));
  const [one] = await Promise.all([take('a'), take('a')]);
  const waiting = [take('a'), take('b')];
  one?.();
  await waiting[1];
  expect(held).toEqual(['a', 'a', 'b']);
});

it('keeps the order of arrival of one owner', async () => {
  const fair = slots(1, 0);
  const order: number[] = [];
  const give = await fair.take('a');
  const rest = [1, 2, 3].map(async (number) => {
    const done = await fair.take('a');
    order.push(number);
    done();
  });
  give();
  await Promise.all(rest);
  expect(order).toEqual([1, 2, 3]);
});

it('rejects a wait that lasts too long and forgets it', async () => {
  const fair = slots(1, 0, 1);
  const give = await fair.take('a');
  await expect(fair.take('a')).rejects.toThrow('no slot');
  give();
  (await fair.take('a'))();
});
