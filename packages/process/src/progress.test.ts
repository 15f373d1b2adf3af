import { expect, test } from 'vitest';
import { Progress } from './progress.ts';

test('parts add up, and no part moves backwards or beyond its share', () => {
  const seen: number[] = [];
  const progress = new Progress(4, (fraction) => seen.push(fraction));
  const [one, two] = [progress.part(), progress.part()];
  one(0.5);
  one(0.25);
  two(7);
  one(1);
  progress.finish(2);
  expect(seen).toEqual([0.125, 0.375, 0.5, 1]);
});

test('a part that reports NaN is ignored', () => {
  const seen: number[] = [];
  new Progress(0, (fraction) => seen.push(fraction)).part()(Number.NaN);
  expect(seen).toEqual([]);
});
