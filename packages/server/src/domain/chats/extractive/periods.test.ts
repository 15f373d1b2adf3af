import { describe, expect, test } from 'vitest';
import { plainPeriods, withoutForms } from './periods.ts';
import { holdsTerm, readQuestion } from './question.ts';
import { analyse } from '@quire/text/language/analyse';

describe('business years', () => {
  test.each([
    ['en', 'What were sales in FY2023?', 'What were sales in 2023?'],
    ['en', 'What were sales in FY 2023 and FY22?', 'What were sales in 2023 and 2022?'],
    ['en', 'What were sales in fiscal year 2023?', 'What were sales in 2023?'],
    ['en', 'What were sales in 2Q23?', 'What were sales in Q2 2023?'],
    ['en', "What were sales in Q2'23?", 'What were sales in Q2 2023?'],
    ['de', 'Wie hoch war der Umsatz im Geschäftsjahr 2023?', 'Wie hoch war der Umsatz im 2023?'],
    ['de', 'Wie hoch war der Umsatz im GJ 2023?', 'Wie hoch war der Umsatz im 2023?'],
    ['fr', 'Quel était le bénéfice de l’exercice 2023 ?', 'Quel était le bénéfice de 2023 ?'],
    ['es', '¿Cuál fue el beneficio del ejercicio 2023?', '¿Cuál fue el beneficio del 2023?'],
    ['en', 'What is a fiscal year?', 'What is a fiscal year?'],
    ['en', 'Which model is the FYX20?', 'Which model is the FYX20?'],
  ])('%s: %s', (language, question, plain) => {
    expect(plainPeriods(question, language)).toBe(plain);
  });

  test.each([
    ['en', 'What were sales in Q2 2023?', 'Sales of the second quarter of 2023'],
    ['en', 'What were sales in H1 2023?', 'Sales of the first half of FY2023'],
    ['de', 'Wie hoch war der Umsatz in Q3 2023?', 'Umsatz im dritten Quartal 2023'],
    ['fr', 'Quelles ventes au T2 2023 ?', 'Ventes du deuxième trimestre 2023'],
    ['en', 'What were sales in 2023?', 'Sales of FY23'],
  ])('%s: the names of “%s” are in “%s”', (language, question, text) => {
    const read = readQuestion(question, language);
    const held = new Set(analyse(text, language));
    expect(read.names.filter((name) => !holdsTerm(held, name, read))).toEqual([]);
  });

  test('another quarter is missing', () => {
    const read = readQuestion('What were sales in Q2 2023?', 'en');
    expect(holdsTerm(new Set(analyse('Sales of the third quarter of 2023', 'en')), 'q2', read)).toBe(false);
  });
});

describe('codes of forms', () => {
  test.each([
    ['What was the agenda of the 8k filing of Orvane?', ['orvan']],
    ['What does the 10-K of Orvane say about debt?', ['orvan']],
    ['Who signed Form S-1?', []],
    ['Was the 20-F report of Orvane late?', ['orvan']],
    ['How fast is the K2 tent made by Orvane?', ['k2', 'orvan']],
  ])('%s', (question, names) => {
    expect(readQuestion(question, 'en').names.toSorted()).toEqual(names.toSorted());
  });

  test('other numbers stay', () => {
    expect(withoutForms('Who ate 12 kiwis in 10 K?')).toBe('Who ate 12 kiwis in 10 K?');
  });
});
