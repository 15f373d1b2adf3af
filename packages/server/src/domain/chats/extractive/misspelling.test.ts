import { expect, test } from 'vitest';
import { withoutMisspellings } from './misspelling.ts';

const ENGLISH = [
  'The weather in Britain is mild.',
  'Governors are appointed by the senate for no charge. An abortion ends a pregnancy.',
];
const GERMAN = ['Die Kündigungsfrist beträgt drei Monate.'];

test.each([
  ['Why is the weatheer mild?', 'Why is the weather mild?'],
  ['Who apointed the govrenors?', 'Who appointed the governors?'],
  ['What is an abortoin?', 'What is an abortion?'],
  ['Who was apponting them?', 'Who was appointed them?'],
])('%s → %s', (question, corrected) => {
  expect(withoutMisspellings(question, ENGLISH, 'en')).toBe(corrected);
});

test.each([
  ['words of the texts', 'Who appoints governors?'],
  ['names', 'Is the weather in Brittain mild?'],
  ['short words', 'Why is it mill?'],
  ['words without a near one', 'Who dismisses governors?'],
])('leaves %s', (_, question) => {
  expect(withoutMisspellings(question, ENGLISH, 'en')).toBe(question);
});

test('corrects German nouns', () => {
  expect(withoutMisspellings('Wie lang ist die Kündigunsfrist?', GERMAN, 'de')).toBe(
    'Wie lang ist die kündigungsfrist?',
  );
});

test('leaves question words', () => {
  expect(withoutMisspellings('Combien de paquets ?', ['On combine des paquets.'], 'fr')).toBe('Combien de paquets ?');
});

test('leaves words that are known to be written correctly', () => {
  const texts = ['The charges of the year were low.'];
  expect(withoutMisspellings('What was the change?', texts, 'en')).toBe('What was the charges?');
  expect(withoutMisspellings('What was the change?', texts, 'en', new Set(['change']))).toBe('What was the change?');
});
