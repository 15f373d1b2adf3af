import { expect, test } from 'vitest';
import { confidenceInterval, ndcg, recall } from './ir-metrics.ts';

const grades = new Map([
  ['a', 1],
  ['b', 1],
  ['c', 0],
]);

test('a perfect ranking has nDCG 1, an empty one 0', () => {
  expect(ndcg(['a', 'b', 'c'], grades, 10)).toBe(1);
  expect(ndcg([], grades, 10)).toBe(0);
});

test('a relevant document at rank 2 and the other missing gives (1/log2 3) / (1 + 1/log2 3)', () => {
  expect(ndcg(['c', 'a'], grades, 10)).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 12);
});

test('recall counts relevant documents up to the depth', () => {
  expect(recall(['a', 'c', 'b'], grades, 2)).toBe(0.5);
  expect(recall(['a', 'c', 'b'], grades, 3)).toBe(1);
});

test('the interval of equal values is that value', () => {
  expect(confidenceInterval([0.5, 0.5, 0.5])).toEqual([0.5, 0.5]);
});
