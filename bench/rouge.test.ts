import { expect, test } from 'vitest';
import { bestRouge } from './rouge.ts';

test('ROUGE of the example of its paper: the longest common subsequence counts order', () => {
  const reference = 'police killed the gunman';
  expect(bestRouge([reference], 'Police kill the gunman.')).toEqual({ r1: 0.75, r2: 1 / 3, rl: 0.75 });
  expect(bestRouge([reference], 'the gunman kill police').rl).toBe(0.5);
});

test('of several references the best counts, and nothing in common is 0', () => {
  expect(bestRouge(['a b', 'c d'], 'c d')).toEqual({ r1: 1, r2: 1, rl: 1 });
  expect(bestRouge(['a b'], 'x')).toEqual({ r1: 0, r2: 0, rl: 0 });
});
