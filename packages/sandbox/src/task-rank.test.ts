import { expect, it } from 'vitest';
import { isLong, rankOf } from './task-rank.ts';

const rank = (arrivedAtMs: number, expectedMs: number): number => rankOf(arrivedAtMs, expectedMs, 'normal');

it('ranks small files before a large one that arrived earlier', () => {
  expect([rank(0, 5_000), rank(100, 5), rank(100, 1)]).toEqual([50_000, 150, 110]);
});

it('ranks a large file before small ones that arrived after its handicap', () => {
  expect(rank(0, 600_000)).toBeLessThan(rank(61_000, 1));
});

it('ranks low priority later and high priority earlier', () => {
  expect(rankOf(0, 0, 'low')).toBe(30_000);
  expect(rankOf(0, 0, 'high')).toBe(-10_000);
});

it('calls tasks of more than 1.5 s long', () => {
  expect([isLong(1_500), isLong(1_501)]).toEqual([false, true]);
});
