import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldCase, occurrences } from './occurrences.ts';

it('finds every occurrence, with or without those that overlap', () => {
  expect(occurrences('ababa', 'aba')).toEqual([0]);
  expect(occurrences('ababa', 'aba', true)).toEqual([0, 2]);
  expect(occurrences('aaaa', 'aa')).toEqual([0, 2]);
  expect([occurrences('abc', 'd'), occurrences('abc', ''), occurrences('', 'a')]).toEqual([[], [], []]);
});

it('finds the same as a search from each position', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'é', '😀'), { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(letters, fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 }), (text, find) => {
      const overlapping = Array.from(text.split(''), (_, at) => at).filter((at) => text.startsWith(find, at));
      expect(occurrences(text, find, true)).toEqual(overlapping);
      expect(occurrences(text, find)).toHaveLength(text.split(find).length - 1);
    }),
  );
});

it('reads each character a bounded number of times, however close the near misses are', () => {
  let reads = 0;
  class CountedText extends String {
    override charCodeAt(at: number): number {
      reads += 1;
      return super.charCodeAt(at);
    }
  }
  const counted = (text: string): string => new CountedText(text) as unknown as string;
  const find = `b${'a'.repeat(999)}`;
  expect(occurrences(counted('a'.repeat(10_000)), find)).toEqual([]);
  expect(occurrences(counted('a'.repeat(10_000)), `${'a'.repeat(999)}b`)).toEqual([]);
  expect(reads).toBe(20_000);
});

it('folds case without changing the length', () => {
  expect(foldCase('Straße İı Σς K ÄÖ ǅ')).toBe('straße İı σσ k äö ǆ');
});
