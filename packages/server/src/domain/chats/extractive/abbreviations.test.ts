import { expect, test } from 'vitest';
import { spelledOut } from './abbreviations.ts';

test.each([
  ['What were R&D expenses?', 'Research and development | 12', 'What were Research and development expenses?'],
  ['What is the PP&E?', 'Property, plant and equipment, net | 9', 'What is the Property plant and equipment?'],
  [
    'What were the frais de R&D?',
    'Recherche et développement | 12',
    'What were the frais de Recherche et développement?',
  ],
  ['When did the WHO meet?', 'The World Health Organization met.', 'When did the World Health Organization meet?'],
  ['What were R&D expenses?', 'R&D is research and development.', 'What were R&D expenses?'],
  ['When did the AFC meet?', 'They approved funds for change.', 'When did the AFC meet?'],
  ['Which TV show is it?', 'Two Voices | 1', 'Which TV show is it?'],
])('%s, in “%s”', (question, text, expected) => {
  expect(spelledOut(question, [text])).toBe(expected);
});
