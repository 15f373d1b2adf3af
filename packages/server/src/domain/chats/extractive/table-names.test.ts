import { describe, expect, test } from 'vitest';
import { quotables } from './quotables.ts';
import { readQuestion } from './question.ts';
import { columnsOf } from './table-cells.ts';
import { namedColumns, namedRows } from './table-names.ts';

const BALANCE = `(in millions) | June 30, 2023 | June 30, 2022
Trade receivables, net | 7 | 8
Total current assets | 12 | 11
Property, plant and equipment, net | 4 | 5
Total assets | 30 | 28
Total current liabilities | 6 | 7
Long-term debt, less current portion | 9 | 9
Payments for property, plant and equipment | (1) | (2)
Net cash provided by operating activities | 3 | 4`;

const named = (question: string): string[] =>
  namedRows(quotables(BALANCE), readQuestion(question, 'en'), 'en').map(({ row }) => row.text.split(' |')[0] ?? '');

describe('rows that a question names', () => {
  test.each([
    ['What were the total assets in 2023?', ['Total assets']],
    ['What were the assets in 2023?', ['Total assets']],
    ['What were trade receivables in 2022?', ['Trade receivables, net']],
    ['What was long-term debt in 2022?', ['Long-term debt, less current portion']],
    ['How much property, plant and equipment was there?', ['Property, plant and equipment, net']],
    [
      'What is net cash from operating activities divided by total current liabilities?',
      ['Net cash provided by operating activities', 'Total current liabilities'],
    ],
    ['What is the ratio of total current liabilities to total assets?', ['Total current liabilities', 'Total assets']],
    ['What is the dividend?', []],
  ])('%s', (question, rows) => {
    expect(named(question)).toEqual(rows);
  });
});

const SEGMENTS = `Segment revenue | 2024 | 2025
Service | 220 | 291
Batteries | 95 | 88
Total | 725 | 834

Income statement | 2024 | 2025
Revenue | 725 | 834`;

test.each([
  ['How much did service revenue grow from 2024 to 2025?', ['Service']],
  ['What share of total segment revenue were batteries?', ['Total', 'Batteries']],
  ['What was the revenue in 2025?', ['Revenue']],
  ['What is the ratio of service revenue to revenue?', ['Service', 'Revenue']],
])('words of a header are meant for the rows below it: %s', (question, rows) => {
  const found = namedRows(quotables(SEGMENTS), readQuestion(question, 'en'), 'en');
  expect(found.map(({ row }) => row.text.split(' |')[0])).toEqual(rows);
});

describe('headers', () => {
  test('of several rows belong together, and stretch over cells without a name', () => {
    const text = ` | Three months ended |  | Six months ended |
($ million) | 2023 | 2022 | 2023 | 2022
Net sales | 5 | 4 | 11 | 9`;
    const [row] = quotables(text);
    expect(row?.text).toBe('Net sales | 5 | 4 | 11 | 9');
    expect(columnsOf(row?.header ?? '')).toEqual([
      '($ million)',
      'Three months ended 2023',
      'Three months ended 2022',
      'Six months ended 2023',
      'Six months ended 2022',
    ]);
  });

  test('a row of values or with a label is no header', () => {
    const rows = quotables('Item | Note | 2023\nSales | a | 5\n | b | 6');
    expect(rows.map(({ header }) => header)).toEqual(['Item | Note | 2023', 'Item | Note | 2023']);
  });

  test.each([
    ['What were sales in FY2023?', 'Item | FY2022 | FY2023', [2]],
    ['What were sales in 2023?', 'Item | June 30, 2023 | June 30, 2022', [1]],
    ['How did sales change from 2022 to 2023?', 'Item | 2023 | 2022 | 2021', [1, 2]],
    ['What were sales in 2023?', 'Item | 3 months 2023 | 6 months 2023', []],
    ['What was EBITDA in 2023?', 'Item | EBITDA 2022 | EBIT 2022 | EBITDA 2023 | EBIT 2023', [3]],
    ['What were sales in 2019?', 'Item | 2023 | 2022', []],
  ])('%s: %s', (question, header, columns) => {
    const plain = question.replace('FY', '');
    expect(namedColumns(header, readQuestion(plain, 'en'), 'en')).toEqual(columns);
  });
});
