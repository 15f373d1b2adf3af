import { expect, test } from 'vitest';
import { RememberedFailures } from './remembered-failures.ts';

test('a failure is thrown again for ten minutes, and only under its key', () => {
  const clock = { ms: 0 };
  const failures = new RememberedFailures(() => clock.ms);
  failures.remember('a', new Error('too slow'));
  clock.ms = 599_999;
  expect(() => failures.throwKnown('a')).toThrow('too slow');
  failures.throwKnown('b');
  clock.ms = 600_000;
  failures.throwKnown('a');
});

test('a thousand failures are remembered, the oldest make room', () => {
  const failures = new RememberedFailures(() => 0);
  for (let count = 0; count <= 1_000; count += 1) failures.remember(String(count), new Error(`failure ${count}`));
  failures.throwKnown('0');
  expect(() => failures.throwKnown('1')).toThrow('failure 1');
});
