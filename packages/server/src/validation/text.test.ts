import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { codePoints } from './text.ts';

test('code points are counted as iteration counts them, also in text with halves of surrogate pairs', () => {
  expect(['', 'é', '😀', '\ud800', '\ud800\ud800\udc00', '\udc00\udc00'].map(codePoints)).toEqual([0, 1, 1, 1, 2, 2]);
  assert(
    property(string({ unit: 'binary' }), (text) => {
      for (const each of [text, text.slice(1), Array.from(text).toReversed().join('')]) {
        expect(codePoints(each)).toBe(Array.from(each).length);
      }
    }),
  );
});
