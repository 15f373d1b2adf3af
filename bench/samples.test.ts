import { expect, test } from 'vitest';
import { sampled, selectedNames } from './samples.ts';

test('a sample is the same for the same seed, in the order of the list', () => {
  const items = Array.from({ length: 50 }, (_, at) => at);
  const sample = sampled(items, 5, 1);
  expect(sample).toEqual(sampled(items, 5, 1));
  expect(sample).toEqual(sample.toSorted((a, b) => a - b));
  expect(sample).not.toEqual(sampled(items, 5, 2));
  expect(sampled(items, 50, 1)).toEqual(items);
});

test('the name of a set selects no other set whose name contains it', () => {
  const names = ['invoices-tuning', 'mixed-invoices-tuning', 'receipts'];
  expect(selectedNames(names, 'invoices-tuning')).toEqual(['invoices-tuning']);
  expect(selectedNames(names, 'invoices')).toEqual(['invoices-tuning', 'mixed-invoices-tuning']);
  expect(selectedNames(names, '')).toEqual(names);
});
