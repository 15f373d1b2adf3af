import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldAccents } from './fold.ts';
import { tokenise } from './tokenise.ts';

const words = (text: string) => Array.from(tokenise(text), (token) => token.text);

test('words end at white space and marks, and are joined by connectors between letters', () => {
  expect(words('The dogs\' bowl: "it\'s full". (See foo.bar, C++ and a/b; AB-12!)')).toEqual([
    'The',
    'dogs',
    'bowl',
    "it's",
    'full',
    'See',
    'foo.bar',
    'C++',
    'and',
    'a/b',
    'AB-12',
  ]);
  expect(words('getName, std::vector, 1,000 or naïve. 検索 engine')).toEqual([
    'getName',
    'std::vector',
    '1,000',
    'or',
    'naïve',
    '検索',
    'engine',
  ]);
});

test('plain words are found as by the pattern, in any context', () => {
  const piece = fc.constantFrom('a', 'wing', 'Wing', 'é', '4', '_', '検', ' ', ',', '.', ':', "'", '-', '\u00ad', '"');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const tokens = [...tokenise(text)];
      // No word with other letters is plain.
      const slow = [...tokenise(text.replaceAll(/[a-z]/gi, (letter) => (letter === letter.toUpperCase() ? 'Æ' : 'æ')))];
      expect(tokens.map(({ start, end }) => [start, end])).toEqual(slow.map(({ start, end }) => [start, end]));
      for (const { start, end, text: own } of tokens) expect(own).toBe(text.slice(start, end));
    }),
    { numRuns: 2_000 },
  );
});

test('a word with ten thousand accents is folded in linear time', () => {
  expect(foldAccents(`1${'\u0301'.repeat(10_000)}`)).toHaveLength(10_001);
  expect(foldAccents(`e${'\u0323'.repeat(10_000)}`)).toBe('e');
});
