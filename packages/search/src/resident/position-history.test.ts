import { expect, test } from 'vitest';
import { PositionHistory, SETTLED_MS } from './position-history.ts';

let time = 0;
const history = (): PositionHistory => new PositionHistory(() => time);

test('goes back to a position that is old enough, however often the position changes', () => {
  const positions = history();
  for (time = 0; time <= 4.5 * SETTLED_MS; time += SETTLED_MS / 4) positions.set(String(time));
  time -= SETTLED_MS / 4;
  expect(positions.present).toBe(String(4.5 * SETTLED_MS));
  expect(positions.rewind()).toBe(true);
  expect(positions.present).toBe(String(3 * SETTLED_MS));
});

test('stays at the settled position when it goes back again, and continues from there', () => {
  const positions = history();
  time = 0;
  positions.set('a');
  time = SETTLED_MS;
  positions.set('b');
  positions.rewind();
  expect([positions.rewind(), positions.present]).toEqual([true, 'a']);
  positions.set('c');
  expect(positions.present).toBe('c');
  expect([positions.rewind(), positions.present]).toEqual([true, 'a']);
});

test('has nothing to go back to before its first position is settled', () => {
  const positions = history();
  expect([positions.rewind(), positions.present]).toEqual([false, null]);
  positions.set('a');
  expect([positions.rewind(), positions.present]).toEqual([false, 'a']);
});
