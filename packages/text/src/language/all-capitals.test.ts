import { expect, test } from 'vitest';
import { analyseQuery } from './analyse-query.ts';
import { withoutAllCapitals } from './all-capitals.ts';

test.each([
  ['WHO BUILT THE TOWER?', 'who built the tower?'],
  ['WER BAUTE DEN TURM DER KÖNIGIN?', 'wer baute den turm der königin?'],
])('reads %s in lower case', (text, plain) => {
  expect(withoutAllCapitals(text)).toBe(plain);
});

test.each(['NASA ESA', 'Who built the TOWER of LONDON AND PARIS?', '谁建造了这座塔', 'EN 62368-1'])(
  'leaves %s',
  (text) => {
    expect(withoutAllCapitals(text)).toBe(text);
  },
);

test('a query in capitals has the terms of one in small letters', () => {
  const english = [{ language: 'en', documents: 1 }];
  expect(analyseQuery('WHO BUILT THE TOWER?', english)).toEqual(analyseQuery('who built the tower?', english));
});
