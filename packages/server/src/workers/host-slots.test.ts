import { expect, test } from 'vitest';
import { HostSlots } from './host-slots.ts';

test('a host that answers gets more at once, up to 64; one that does not, ever fewer, down to 2', () => {
  const slots = new HostSlots();
  slots.enter('good');
  for (let count = 0; count < 60; count++) {
    slots.enter('good');
    slots.leave('good', true);
  }
  slots.enter('bad');
  const limits = [1, 2, 3, 4, 5].map(() => {
    slots.enter('bad');
    slots.leave('bad', false);
    return (slots.free()['bad'] ?? 0) + 1;
  });
  expect([slots.free()['good'], ...limits]).toEqual([63, 8, 4, 2, 2, 2]);
  expect(slots.active).toBe(2);
});

test('of idle hosts a thousand are remembered', () => {
  const slots = new HostSlots();
  for (let count = 0; count < 2000; count++) {
    slots.enter(String(count));
    slots.leave(String(count), true);
  }
  expect([Object.keys(slots.free()).length, slots.active]).toEqual([1000, 0]);
});
