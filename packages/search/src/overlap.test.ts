import { expect, test } from 'vitest';
import { overlaps } from './overlap.ts';

const sentence = (number: number) =>
  `Sentence number ${number} says something of its own about the ${number}th matter. `;
const chunk = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, step) => sentence(from + step)).join('');

test.each([
  ['equal chunks', chunk(0, 4), chunk(0, 4), true],
  ['one inside the other', chunk(0, 6), chunk(2, 4), true],
  ['half shared', chunk(0, 4), chunk(2, 6), true],
  ['half shared, the other way round', chunk(2, 6), chunk(0, 4), true],
  ['a quarter shared', chunk(0, 4), chunk(3, 7), false],
  ['nothing shared', chunk(0, 4), chunk(4, 8), false],
  ['a common beginning', `${sentence(1)}${chunk(2, 6)}`, `${sentence(1)}${chunk(7, 9)}`, false],
  ['short and different', 'yes', 'no', false],
])('%s', (_name, a, b, expected) => {
  expect(overlaps(a, b)).toBe(expected);
});
