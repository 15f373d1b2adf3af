import { expect, test } from 'vitest';
import { withNames } from './true-case.ts';

const TEXTS = [
  'In 1515, Aruj took Algiers. Killed by troops of Spain, Aruj left the rose to his brother.',
  'Her name was Rose.',
];

test('writes names with the capitals of the texts', () => {
  expect(withNames('when was aruj killed in spain?', TEXTS, 'en')).toBe('when was Aruj killed in Spain?');
});

test.each([
  ['words that are also written small', 'who had the rose?', 'en'],
  ['questions with capitals', 'When was aruj killed in Spain?', 'en'],
  ['German', 'wann starb aruj?', 'de'],
])('leaves %s', (_, question, language) => {
  expect(withNames(question, TEXTS, language)).toBe(question);
});
