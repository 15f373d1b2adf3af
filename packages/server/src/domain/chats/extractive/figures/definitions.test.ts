import { expect, test } from 'vitest';
import { definitionIn, isDefined } from './definitions.ts';

test.each([
  [
    'What is the turnover? It is defined as: FY2019 revenue / (average PP&E between FY2018 and FY2019).',
    '{revenue} ÷ ((({plant<} + {plant}) ÷ 2))',
  ],
  [
    'DPO is defined as: 365 * accounts payable / (FY2017 COGS + change in inventory between FY2016 and FY2017). Round it.',
    '365 × {payables} ÷ ({cost} + ({inventories} − {inventories<}))',
  ],
  ['It is calculated as total current assets minus inventories.', '{currentAssets} − {inventories}'],
  [
    'It is calculated as (total current assets minus inventories) divided by total current liabilities.',
    '({currentAssets} − {inventories}) ÷ {currentLiabilities}',
  ],
  ['It is defined as: revenue / (average headcount in FY2019).', null],
])('%s', (question, formula) => {
  expect(isDefined(question)).toBe(true);
  expect(definitionIn(question)).toBe(formula);
});

test('other questions give no formula', () => {
  expect(isDefined('How is the term defined?')).toBe(false);
});
