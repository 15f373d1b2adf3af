import { expect, test } from 'vitest';
import { findValueSpans } from './value-spans.ts';

const phonesIn = (text: string): string[] =>
  findValueSpans(text).flatMap((span) => (span.kind === 'phone' ? [span.text] : []));

test.each([
  ['Tel. +49 30 1234567', ['+49 30 1234567']],
  ['Call (030) 123 45 67.', ['(030) 123 45 67']],
  ['Phone: 555-123-4567', ['555-123-4567']],
  ['Professor (1990-2024) in Bergen', []],
  ['Head of the department, 1998 - 2003', []],
  ['Seasons 2019/2020', []],
])('finds the telephone numbers of “%s”', (text, phones) => {
  expect(phonesIn(text)).toEqual(phones);
});
