import { expect, test } from 'vitest';
import { decimalSign, findNumbers, numericValue } from './numbers.ts';

test.each<[string, '.' | ',', (number | null)[]]>([
  ['1,234.56', '.', [1234.56]],
  ['1.234,56', ',', [1234.56]],
  ['1.234', ',', [1234]],
  ['1.234', '.', [1234]],
  ['0.125', '.', [0.125]],
  ['12 345,67 €', ',', [12345.67]],
  ["CHF 1'234.50", '.', [1234.5]],
  ['(12.00)', '.', [-12]],
  ['-0.01', '.', [-0.01]],
  ['65. 20', '.', [65.2]],
  ['2 € 2.321,00 21% € 199,98', ',', [2, 2321, 21, 199.98]],
])('%s', (text, decimal, values) => {
  expect(findNumbers(text).map((span) => numericValue(span, decimal))).toEqual(values);
});

test('the currency is the sign beside the number', () => {
  const currencies = findNumbers('2 € 2.321,00 and RM 9.00, 5 USD, $4').map(({ currency }) => currency);
  expect(currencies).toEqual([null, 'EUR', 'MYR', 'USD', 'USD']);
});

test('the decimal sign is the one that most numbers imply', () => {
  expect(decimalSign(findNumbers('1,50 2,75 3.125'))).toBe(',');
  expect(decimalSign(findNumbers('1 2 3'))).toBe('.');
});

test('a Friday before a time is no currency', () => {
  const currencies = (text: string) => findNumbers(text).map(({ currency }) => currency);
  expect(currencies('Mo.-Fr. 08.30 - 12.30 Uhr')).toEqual([null, null]);
  expect(currencies('Preis: Fr. 8.30')).toEqual(['CHF']);
});
