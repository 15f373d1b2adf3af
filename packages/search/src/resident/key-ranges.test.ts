import { expect, test } from 'vitest';
import { KeyRanges } from './key-ranges.ts';

test('keys that follow one another share a range', () => {
  const keys = new KeyRanges();
  keys.add([4n, 5n, 6n, 9n]);
  keys.add([10n, 2n]);
  expect(keys.take()).toEqual([
    { first: 4n, last: 6n },
    { first: 9n, last: 10n },
    { first: 2n, last: 2n },
  ]);
  expect(keys.take()).toEqual([]);
});

test('too many ranges are forgotten', () => {
  const keys = new KeyRanges();
  keys.add(Array.from({ length: 5_001 }, (_, at) => BigInt(at * 2)));
  expect(keys.take()).toEqual([]);
});
