import { expect, test } from 'vitest';
import { evaluate } from './expression.ts';

test.each([
  ['2 + 3 × 4', 14],
  ['(2 + 3) × 4', 20],
  ['10 − 4 − 3', 3],
  ['100 ÷ 10 ÷ 2', 5],
  ['(-5) − (2.5)', -7.5],
  ['1 ÷ 0', null],
  ['1 ÷ (3 − 3)', null],
])('%s', (text, value) => {
  expect(evaluate(text)).toBe(value);
});

test('text that is no expression is an error', () => {
  expect(() => evaluate('(1 + 2')).toThrow("No arithmetic expression: '(1 + 2'");
  expect(() => evaluate('1 2')).toThrow("No arithmetic expression: '1 2'");
});
