import { expect, test } from 'vitest';
import { checkRunSize } from './size-limits.ts';

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

test('an edit has at most 200 patterns over all its operations', () => {
  const redact = { type: 'redact', patterns: times(100, 'a+') };
  const replace = { type: 'replacePattern', pattern: 'a+', replace: '' };
  expect(checkRunSize({ editConfig: { operations: [redact, redact] } })).toEqual([]);
  expect(checkRunSize({ editConfig: { operations: [redact, redact, replace] } })).toEqual([
    {
      loc: ['body', 'editConfig', 'operations'],
      msg: 'Value error, an edit has at most 200 patterns',
      type: 'value_error',
      ctx: { error: 'an edit has at most 200 patterns', limit: 200 },
    },
  ]);
});

test('a taxonomy has at most 10,000 labels over all its levels', () => {
  const node = { id: 'a', label: 'A', children: times(99, { id: 'b', label: 'B' }) };
  expect(checkRunSize({ classificationConfig: { taxonomy: times(100, node) } })).toEqual([]);
  expect(checkRunSize({ classificationConfig: { taxonomy: times(101, node) } })).toMatchObject([
    { loc: ['body', 'classificationConfig', 'taxonomy'], type: 'value_error' },
  ]);
});

test('blocks of any other shape are left to their schemas', () => {
  for (const blocks of [undefined, null, 'x', { editConfig: 1 }, { editConfig: { operations: [null, 'x'] } }])
    expect(checkRunSize(blocks)).toEqual([]);
});
