import { expect, test } from 'vitest';
import { ApiError } from '../errors.ts';
import { parseFilter } from './filter.ts';

const problemsOf = (value: unknown): unknown => {
  try {
    parseFilter(value, ['body', 'filter']);
  } catch (error) {
    if (error instanceof ApiError) return error.details.map(({ loc, type, msg }) => [loc.slice(2), type, msg]);
    throw error;
  }
  return [];
};

test('a bare value means eq, several fields side by side mean and', () => {
  expect(parseFilter({ name: 'a', 'metadata.year': { gte: 2020, lt: 2030 } }, [])).toEqual({
    kind: 'and',
    parts: [
      { kind: 'in', field: { kind: 'column', name: 'name', type: 'text' }, values: ['a'] },
      {
        kind: 'and',
        parts: [
          { kind: 'compare', field: { kind: 'metadata', path: ['year'] }, operator: 'gte', value: 2020 },
          { kind: 'compare', field: { kind: 'metadata', path: ['year'] }, operator: 'lt', value: 2030 },
        ],
      },
    ],
  });
});

test('times are read in any zone', () => {
  expect(parseFilter({ createdAt: { gt: '2026-01-02T03:04:05+01:00' } }, [])).toMatchObject({
    value: '2026-01-02T02:04:05.000Z',
  });
});

test.each([
  [[], [[[], 'dict_type', 'Input should be a valid dictionary']]],
  [{ and: {} }, [[['and'], 'list_type', 'Input should be a valid list']]],
  [{ or: [1] }, [[['or', 0], 'dict_type', 'Input should be a valid dictionary']]],
  [{ name: 1 }, [[['name'], 'string_type', 'Input should be a valid string']]],
  [
    { sizeBytes: { gt: 'x' } },
    [
      [['sizeBytes', 'gt'], 'float_type', 'Input should be a valid number'],
      [['sizeBytes', 'gt'], 'value_error', 'Value error, only numbers, texts and times have an order'],
    ],
  ],
  [{ 'metadata.a': { in: 'x' } }, [[['metadata.a', 'in'], 'list_type', 'Input should be a valid list']]],
  [{ 'metadata.a': { exists: 1 } }, [[['metadata.a', 'exists'], 'bool_type', 'Input should be a valid boolean']]],
  [{ 'metadata.a': {} }, [[['metadata.a'], 'value_error', 'Value error, a condition needs an operator']]],
])('%j is refused where it is wrong', (value, problems) => {
  expect(problemsOf(value)).toEqual(problems);
});

test('unknown fields and operators are refused, all problems at once', () => {
  expect(problemsOf({ nme: 'a', metadata: 1, name: { like: 'a' } })).toMatchObject([
    [['nme'], 'value_error', expect.stringContaining('there is no such field')],
    [['metadata'], 'value_error', expect.stringContaining('there is no such field')],
    [['name', 'like'], 'value_error', expect.stringContaining('there is no such operator')],
  ]);
});

test('more than 500 conditions are refused', () => {
  const or = Array.from({ length: 501 }, () => ({ name: 'a' }));
  expect(problemsOf({ or })).toMatchObject([
    [['or', 500, 'name'], 'value_error', expect.stringContaining('at most 500')],
  ]);
});
