import { expect, test } from 'vitest';
import { quotables } from './quotables.ts';

const textsOf = (text: string, language: string): string[] => quotables(text, language).map((unit) => unit.text);

test.each([
  [
    'en',
    '1. Rent. The tenant pays monthly. It is due in May.',
    ['1. Rent. The tenant pays monthly.', 'It is due in May.'],
  ],
  ['de', '§ 5 Vorstand. Er besteht aus drei Personen.', ['§ 5 Vorstand. Er besteht aus drei Personen.']],
  ['en', 'Notice. Either party may end the lease.', ['Notice. Either party may end the lease.']],
  ['en', '1. Open the lid. 2. Remove the filter.', ['1. Open the lid.', '2. Remove the filter.']],
  ['en', '4. Notice.\nEither party may end the lease.', ['4. Notice.', 'Either party may end the lease.']],
])('a label in front of a sentence in its line is a part of it (%s): %s', (language, text, units) => {
  expect(textsOf(text, language)).toEqual(units);
});

test('a unit begins and ends where its text does', () => {
  const text = 'Lease of the workshop. 2. Deposit. Two months are kept.';
  for (const { start, end, text: own } of quotables(text, 'en')) expect(text.slice(start, end)).toBe(own);
});
