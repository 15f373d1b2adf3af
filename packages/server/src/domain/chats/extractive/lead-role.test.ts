import { expect, test } from 'vitest';
import { inRole } from './lead-role.ts';
import { valuesOf } from './values.ts';

const chosen = (question: string, text: string, language: string): string[] =>
  inRole(valuesOf(text, 'measure', language), text, question, language).map((value) => value.text);

const GERMAN = 'Während der Ausbildung sind es zehn Tage, danach 25 Tage.';

test.each([
  ['en', 'How long is it after the course?', 'It is two weeks during the course, after that six weeks.', 'six weeks'],
  ['en', 'How long is it during the course?', 'It is two weeks during the course, after that six weeks.', 'two weeks'],
  ['en', 'How much sand is needed at most?', 'Use at least 3 kg and at most 9 kg of sand.', '9 kg'],
  ['en', 'What is the lowest amount?', 'Use at least 3 kg and at most 9 kg of sand.', '3 kg'],
  ['de', 'Wie viele Tage sind es nach der Ausbildung?', GERMAN, '25 Tage'],
  ['de', 'Wie viele Tage sind es während der Ausbildung?', GERMAN, 'zehn Tage'],
  ['fr', 'Quelle durée après la pose ?', 'Comptez deux jours pendant la pose, puis six jours.', 'six jours'],
  ['es', '¿Cuánto dura después?', 'Dura dos días durante la obra; después, seis días.', 'seis días'],
])('%s: %s / %s', (language, question, text, value) => {
  expect(chosen(question, text, language)).toEqual([value]);
});

test('leaves all values of a question without a role', () => {
  expect(chosen('How long is it?', 'It is two weeks during the course, after that six weeks.', 'en')).toHaveLength(2);
});
