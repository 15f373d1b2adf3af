import { describe, expect, test } from 'vitest';
import { leadOf } from './lead.ts';
import { readQuestion } from './question.ts';
import { selectQuotes } from './select.ts';
import type { Quote } from './sentence-scores.ts';
import { computed, operationIn } from './table-arithmetic.ts';

const CARDS = `Card | Price in 2018 | Price in 2019
Adults | 10 euros | 12 euros
Companies | 80 euros | 95 euros`;
const INCOME = `(in millions) | 2021 | 2022
Net sales | 1,200.5 | 1,500.5
Cost of sales | 800 | 900
Operating loss | (20) | (35)`;

const select = (question: string, text: string, language: string) => {
  const asked = readQuestion(question, language);
  return { asked, selection: selectQuotes(asked, [{ text, headings: [], titles: ['note'] }], language) };
};

describe('the lead of a row', () => {
  test.each([
    ['What is the price of a card for companies in 2019?', CARDS, '95 euros', 'money', 'Companies, Price in 2019'],
    ['How much did companies pay in 2018?', CARDS, '80 euros', 'money', 'Companies, Price in 2018'],
    ['What were net sales in 2022?', INCOME, '1,500.5', 'measure', 'Net sales, 2022, in millions'],
    ['What is the fee for adults?', 'Member | Fee\nAdults | $5\nChildren | $2', '$5', 'money', 'Adults, Fee'],
  ])('%s', (question, text, value, kind, of) => {
    const { asked, selection } = select(question, text, 'en');
    const lead = selection.best === undefined ? null : leadOf(selection.best, asked, 'en');
    expect(lead).toMatchObject({ text: value, kind, of });
    expect(selection.best?.text.slice(lead?.start, lead?.end)).toBe(value);
  });

  test.each([
    ['What is the price of a card for companies?', CARDS],
    ['What is the price of a card in 2019?', CARDS],
    [
      'Who buys cards for companies in 2019?',
      'Card | Seller in 2018 | Seller in 2019\nCompanies | the desk | the shop',
    ],
  ])('is missing if the question does not name one cell: %s', (question, text) => {
    const { asked, selection } = select(question, text, 'en');
    expect(selection.best === undefined ? null : leadOf(selection.best, asked, 'en')).toBeNull();
  });
});

function compute(question: string, text: string, language = 'en'): string | null {
  const operation = operationIn(question, language);
  if (operation === null) return null;
  const { asked, selection } = select(question, text, language);
  const made = computed<Quote>(operation, asked, selection.rows, language);
  return made === null ? null : `${made.result} = ${made.operands.map(({ cell }) => cell.text).join(made.signs[0])}`;
}

describe('computing over cells', () => {
  test.each([
    [
      'What is the difference between the price for companies in 2018 and in 2019?',
      CARDS,
      '15 euros = 95 euros − 80 euros',
    ],
    ['How much did the price for companies rise from 2018 to 2019?', CARDS, '15 euros = 95 euros − 80 euros'],
    ['By what percent did the price for adults rise from 2018 to 2019?', CARDS, '20.0 % = 10 euros → 12 euros'],
    ['What is the sum of the prices for adults and companies in 2019?', CARDS, '107 euros = 12 euros + 95 euros'],
    ['What is the ratio of net sales to cost of sales in 2022?', INCOME, '1.67 = 1,500.5 ÷ 900'],
    ['What is the sum of net sales in 2021 and 2022?', INCOME, '2,701.0 (in millions) = 1,200.5 + 1,500.5'],
    ['By how much did net sales grow from 2021 to 2022?', INCOME, '300.0 (in millions) = 1,500.5 − 1,200.5'],
    ['What percentage of net sales was the cost of sales in 2022?', INCOME, '60.0 % = 900 ÷ 1,500.5'],
    ['What was cost of sales as a percentage of net sales in 2022?', INCOME, '60.0 % = 900 ÷ 1,500.5'],
    ['What is the growth rate of net sales from 2021 to 2022?', INCOME, '25.0 % = 1,200.5 → 1,500.5'],
    ['What was the increase in net sales from 2021 to 2022?', INCOME, '300.0 (in millions) = 1,500.5 − 1,200.5'],
    [
      'What is the ratio of net sales to total assets in 2022?',
      `${INCOME}\n\n(in millions) | 2021 | 2022\nTotal assets | 2,000 | 3,001`,
      '0.50 = 1,500.5 ÷ 3,001',
    ],
    [
      'How much did the costs rise from 2021 to 2022?',
      'Item |  | 2021 |  | 2022\nCosts | $ | 1 200 | $ | 1 250',
      '50 = 1 250 − 1 200',
    ],
    ['How much did the operating loss change from 2021 to 2022?', INCOME, '15 (in millions) = (20) − (35)'],
  ])('%s', (question, text, expected) => {
    expect(compute(question, text)).toBe(expected);
  });

  test.each([
    [
      'de',
      'Wie groß ist der Unterschied der Miete zwischen 2020 und 2021?',
      'Posten | 2020 | 2021\nMiete | 1.200,50 € | 1.300,75 €',
      '100,25 € = 1.300,75 € − 1.200,50 €',
    ],
    [
      'fr',
      'Quelle est la différence du loyer entre 2020 et 2021 ?',
      'Poste | 2020 | 2021\nLoyer | 900 euros | 950 euros',
      '50 euros = 950 euros − 900 euros',
    ],
    [
      'es',
      '¿Cuál es la diferencia del alquiler entre 2020 y 2021?',
      'Concepto | 2020 | 2021\nAlquiler | 900 euros | 950 euros',
      '50 euros = 950 euros − 900 euros',
    ],
  ])('in %s: %s', (language, question, text, expected) => {
    expect(compute(question, text, language)).toBe(expected);
  });

  test.each([
    ['What is the price of a card for companies in 2019?', CARDS],
    ['What is the total price for companies?', CARDS],
    ['By what percent did net sales grow from 2015 to 2022?', INCOME],
    ['What is the difference between cards for children in 2018 and 2019?', CARDS],
    [
      'What is the difference between the height and the weight in 2019?',
      'Item | 2018 | 2019\nHeight | 2 m | 3 m\nWeight | 4 kg | 5 kg',
    ],
    ['How much did net sales change in 2023?', 'In millions | 2023 | 2022 | Change %\nNet sales | 900 | 800 | 13'],
    ['What is the difference between the costs in 2018 and 2019?', 'Item | 2018 | 2019\nCosts | unknown | 5 euros'],
  ])('nothing is computed without two operands of one unit: %s', (question, text) => {
    expect(compute(question, text)).toBeNull();
  });
});
