import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
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

test('accepts times of any zone', () => {
  expect(parseFilter({ createdAt: { gt: '2026-01-02T03:04:05+01:00' } }, [])).toMatchObject({
    value: '2026-01-02T02:04:05.000Z',
  });
});

test.each([
  [[], [[[], 'dict_type', 'Input should be a valid dictionary']]],
  [{ and: {} }, [[['and'], 'list_type', 'Input should be a valid list']]],
  [{ or: [1] }, [[['or', 0], 'dict_type', 'Input should be a valid dictionary']]],
  [{ name: 1 }, [[['name'], 'string_type', 'Input should be a valid string']]],
  [{ sizeBytes: { gt: 'x' } }, [[['sizeBytes', 'gt'], 'float_type', 'Input should be a valid number']]],
  [{ 'metadata.a': { in: 'x' } }, [[['metadata.a', 'in'], 'list_type', 'Input should be a valid list']]],
  [{ 'metadata.a': { exists: 1 } }, [[['metadata.a', 'exists'], 'bool_type', 'Input should be a valid boolean']]],
  [{ 'metadata.a': {} }, [[['metadata.a'], 'value_error', 'Value error, a condition needs an operator']]],
])('%j is refused where it is wrong', (value, problems) => {
  expect(problemsOf(value)).toEqual(problems);
});

test('reports all unknown fields and operators at once', () => {
  expect(problemsOf({ nme: 'a', metadata: 1, name: { like: 'a' } })).toMatchObject([
    [['nme'], 'value_error', expect.stringContaining('there is no such field')],
    [['metadata'], 'value_error', expect.stringContaining('there is no such field')],
    [['name', 'like'], 'value_error', expect.stringContaining('there is no such operator')],
  ]);
});

test.each([
  ['NUL', { name: 'a\0' }],
  ['half a character', { 'metadata.a': { in: ['\ud800'] } }],
  ['NUL in a key', { 'metadata.a\0': 1 }],
  ['a number beyond all', { sizeBytes: { gt: Infinity } }],
  ['the year 0', { createdAt: { gt: '0000-06-01' } }],
  ['the year 10000', { createdAt: { gt: '9999-12-31T23:59:59-01:00' } }],
  ['a day that is none', { createdAt: { gt: '2026-13-01' } }],
  ['words after a day', { createdAt: { gt: '2026-01-01 (about)' } }],
])('%s is refused, for the database could not read it', (_name, filter) => {
  expect(problemsOf(filter)).toMatchObject([[expect.anything(), 'value_error', expect.anything()]]);
});

test('a time without a zone is UTC', () => {
  expect(parseFilter({ createdAt: { gt: '2026-01-02T03:04' } }, [])).toMatchObject({
    value: '2026-01-02T03:04:00.000Z',
  });
  expect(parseFilter({ createdAt: { gt: '2026-01-02' } }, [])).toMatchObject({ value: '2026-01-02T00:00:00.000Z' });
});

test('refuses a filter of more than 20 levels, however deep the request', () => {
  const nested = (depth: number) => {
    let filter: object = { name: 'a' };
    for (let level = 1; level < depth; level += 1) filter = { not: filter };
    return filter;
  };
  expect(problemsOf(nested(20))).toEqual([]);
  expect(problemsOf(nested(21))).toMatchObject([
    [expect.anything(), 'value_error', expect.stringContaining('20 levels')],
  ]);
  expect(problemsOf(nested(5000))).toHaveLength(1);
});

test('a list has at most 1,000 values', () => {
  const values = Array.from({ length: 1001 }, (_, number) => number);
  expect(problemsOf({ 'metadata.a': { in: values.slice(1) } })).toEqual([]);
  expect(problemsOf({ 'metadata.a': { in: values } })).toMatchObject([
    [['metadata.a', 'in'], 'value_error', expect.stringContaining('1000')],
  ]);
});

test('a filter has at most 10,000 values over all its lists', () => {
  const list = { 'metadata.a': { in: Array.from({ length: 1000 }, (_, number) => number) } };
  expect(problemsOf({ or: Array.from({ length: 10 }, () => list) })).toEqual([]);
  expect(problemsOf({ or: Array.from({ length: 11 }, () => list) })).toMatchObject([
    [['or', 10, 'metadata.a', 'in'], 'value_error', expect.stringContaining('at most 10000')],
  ]);
});

test('refuses more than 500 conditions', () => {
  const conditions = (count: number) => Array.from({ length: count }, () => ({ name: 'a' }));
  expect(problemsOf({ or: conditions(500) })).toEqual([]);
  expect(problemsOf({ or: conditions(501) })).toMatchObject([
    [['or'], 'value_error', expect.stringContaining('at most 500')],
  ]);
  expect(problemsOf({ or: conditions(300), and: conditions(202) })).toMatchObject([
    [['and', 200, 'name'], 'value_error', expect.stringContaining('at most 500')],
  ]);
});
