import { expect, test } from 'vitest';
import { resolveQuestion } from './follow-up.ts';

const BEFORE = 'How much did a card cost in 2018?';

test.each([
  ['and in 2019?', 'How much did a card cost in 2019?'],
  ['What about 2020', 'How much did a card cost in 2020?'],
  ['Who sold it?', `${BEFORE} Who sold it?`],
  ['and for companies?', `${BEFORE} and for companies?`],
  ['Which birds hunt mice at night in winter?', 'Which birds hunt mice at night in winter?'],
])('%s is searched as: %s', (question, query) => {
  expect(resolveQuestion(question, BEFORE, 'en')).toBe(query);
  expect(resolveQuestion(question, undefined, 'en')).toBe(question);
});

test('another year replaces the year of a query with exactly one year', () => {
  expect(resolveQuestion('and in 2019?', 'What changed from 2016 to 2018?', 'en')).toBe(
    'What changed from 2016 to 2018? and in 2019?',
  );
  expect(resolveQuestion('and in 2019?', 'What changed?', 'en')).toBe('What changed? and in 2019?');
});

test('a question of ten thousand spaces around a year is read in linear time', () => {
  const padding = ' '.repeat(4_990);
  expect(resolveQuestion(`${padding}2019${padding}x`, BEFORE, 'en')).toBe(`${BEFORE} ${padding}2019${padding}x`);
  expect(resolveQuestion(`${padding}and in 2019?${padding}`, BEFORE, 'en')).toBe('How much did a card cost in 2019?');
});
