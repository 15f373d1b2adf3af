import { expect, test } from 'vitest';
import { durationInDigits, findDurations, isoDuration } from './durations.ts';

test.each([
  ['for a term of two years from the date', '2 years', 'P2Y'],
  ['for two (2) years', '2 years', 'P2Y'],
  ['thirty-six (36) calendar months', '36 months', 'P36M'],
  ['ninety days', '90 days', 'P90D'],
  ['a 24-month period', '24 month', 'P24M'],
  ['die Laufzeit beträgt zwölf Monate', '12 Monate', 'P12M'],
  ['mit einer Frist von vier Wochen', '4 Wochen', 'P4W'],
  ['pour une durée de trois années', '3 années', 'P3Y'],
  ['una duración de cinco años', '5 años', 'P5Y'],
  ['con preavviso di sei mesi', '6 mesi', 'P6M'],
  ['een periode van drie jaar', '3 jaar', 'P3Y'],
  ['pelo prazo de dois anos', '2 anos', 'P2Y'],
  ['na okres trzech lat', '3 lat', 'P3Y'],
  ['a term of twenty-seven months', '27 months', 'P27M'],
  ['eine Frist von fünfundvierzig Tagen', '45 Tagen', 'P45D'],
  ['un préavis de quarante et un jours', '41 jours', 'P41D'],
  ['un plazo de treinta y dos meses', '32 meses', 'P32M'],
  ['per ventuno giorni', '21 giorni', 'P21D'],
  ['voor vijfentwintig maanden', '25 maanden', 'P25M'],
  ['until the third anniversary of the Effective Date', '3 years', 'P3Y'],
  ['en uppsägningstid om tre månader', '3 månader', 'P3M'],
])('%s', (text, inDigits, iso) => {
  const found = findDurations(text);
  expect(found.map((span) => [durationInDigits(span), isoDuration(span)])).toEqual([[inDigits, iso]]);
});

test('a number without a unit, and a unit without a number, are no durations', () => {
  expect(findDurations('two parties agree that years may pass')).toEqual([]);
});
