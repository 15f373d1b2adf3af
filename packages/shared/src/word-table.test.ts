import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextUnits } from './text-units.ts';
import { WordTable } from './word-table.ts';

const source = new TextUnits();
/** Returns the units of a text that contains the word, and the word's place in them. */
const placed = (word: string): [Uint16Array, number, number] => [source.read(` ${word} `), 1, word.length + 1];

test('finds a word by its place in any text', () => {
  const table = new WordTable<number>();
  table.set(source.read('the cat'), 4, 7, 1);
  expect(table.get(source.read('cat'), 0, 3)).toBe(1);
  expect(table.get(source.read('a cat and a dog'), 2, 5)).toBe(1);
  expect(table.get(...placed('cats'))).toBeUndefined();
  expect(table.get(...placed('Cat'))).toBeUndefined();
});

test('behaves like a map of words', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9.-]{1,12}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, fc.nat())), fc.array(word), (known, asked) => {
      const table = new WordTable<number>();
      const expected = new Map<string, number>();
      for (const [each, value] of known) {
        if (expected.has(each)) continue;
        table.set(...placed(each), value);
        expected.set(each, value);
      }
      for (const each of [...expected.keys(), ...asked]) {
        expect(table.get(...placed(each))).toBe(expected.get(each));
      }
    }),
  );
});

test('a full table is cleared, and long words are not stored', () => {
  const table = new WordTable<number>();
  const wrong: string[] = [];
  for (let number = 0; number < 120_000; number += 1) {
    const word = placed(`w${number}`);
    table.set(...word, number);
    if (table.get(...word) !== number) wrong.push(`w${number}`);
  }
  expect(wrong).toEqual([]);
  expect(table.get(...placed('w0'))).toBeUndefined();
  const long = placed('a'.repeat(41));
  table.set(...long, 1);
  expect(table.get(...long)).toBeUndefined();
});
