import { expect, test } from 'vitest';
import { TextUnits } from '@quire/shared/text-units';
import { Beginnings } from './beginnings.ts';

function wordsThatPass(words: readonly string[], beginnings: Beginnings): string[] {
  return words.filter((word) => beginnings.has(new TextUnits().read(word), 0, word.length));
}

const words = ['A', 'Wing', 'which', 'wet', 'lies', 'on', 'bar'];

test('words pass whose first letters are those of a stem', () => {
  expect(wordsThatPass(words, new Beginnings(['wing', 'lie', 'a'], true))).toEqual(['A', 'Wing', 'lies']);
});

test('only the first letter is compared where a stem may change the others', () => {
  expect(wordsThatPass(words, new Beginnings(['wing'], false))).toEqual(['Wing', 'which', 'wet']);
});
