import { expect, test } from 'vitest';
import { overlaps } from './overlap.ts';

const sentence = (number: number) =>
  `Sentence number ${number} says something of its own about the ${number}th matter. `;
const passage = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, step) => sentence(from + step)).join('');

test.each([
  ['equal passages', passage(0, 4), passage(0, 4), true],
  ['one inside the other', passage(0, 6), passage(2, 4), true],
  ['half shared', passage(0, 4), passage(2, 6), true],
  ['half shared, the other way round', passage(2, 6), passage(0, 4), true],
  ['a quarter shared', passage(0, 4), passage(3, 7), false],
  ['nothing shared', passage(0, 4), passage(4, 8), false],
  ['a common beginning', `${sentence(1)}${passage(2, 6)}`, `${sentence(1)}${passage(7, 9)}`, false],
  ['short and different', 'yes', 'no', false],
])('%s', (_name, a, b, expected) => {
  expect(overlaps(a, b)).toBe(expected);
});
