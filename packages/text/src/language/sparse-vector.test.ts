import { expect, test } from 'vitest';
import { sparseVector, termHash } from './sparse-vector.ts';

test.each([
  ['', 0],
  ['hello', 0x248bfa47],
  ['hello, world', 0x149bbb7f],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
])('hashes %j as MurmurHash3 does', (term, hash) => {
  expect(termHash(term)).toBe(hash);
});

test('contains each term once, in ascending order of its hash, saturated by BM25', () => {
  const vector = sparseVector(['wing', 'lift', 'wing']);
  expect(vector.terms).toEqual(['lift', 'wing']);
  expect(vector.indices).toEqual([termHash('lift'), termHash('wing')]);
  // norm = 1.2 · (0.25 + 0.75 · 3 / 150) = 0.318
  expect(vector.values).toEqual([Math.fround(2.2 / 1.318), Math.fround((2 * 2.2) / 2.318)]);
});

test('is empty for no terms', () => {
  expect(sparseVector([])).toEqual({ indices: [], values: [], terms: [] });
});
