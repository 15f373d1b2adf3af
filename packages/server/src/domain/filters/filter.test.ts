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

/** Location, message and limit of every refusal. */
const limitsOf = (value: unknown): unknown => {
  try {
    parseFilter(value, ['body', 'filter']);
  } catch (error) {
    if (error instanceof ApiError) return error.details.map(({ loc, msg, ctx }) => [loc.slice(2), msg, ctx?.['limit']]);
    throw error;
  }
  return [];
};
const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

test('refuses a filter of more than 20 levels, however deep the request', () => {
  const nested = (depth: number) => {
    let filter: object = { name: 'a' };
    for (let level = 1; level < depth; level += 1) filter = { not: filter };
    return filter;
  };
  expect(limitsOf(nested(20))).toEqual([]);
  expect(limitsOf(nested(21))).toMatchObject([[expect.anything(), expect.stringContaining('20 levels'), 20]]);
  expect(limitsOf(nested(5000))).toHaveLength(1);
});

test('a list has at most 1,000 values', () => {
  expect(limitsOf({ 'metadata.a': { in: numbers(1000) } })).toEqual([]);
  expect(limitsOf({ 'metadata.a': { in: numbers(1001) } })).toEqual([
    [['metadata.a', 'in'], 'Value error, a list of values has at most 1000 of them', 1000],
  ]);
});

test('a filter has at most 10,000 values over all its lists', () => {
  const list = { 'metadata.a': { in: numbers(1000) } };
  expect(limitsOf({ or: Array.from({ length: 10 }, () => list) })).toEqual([]);
  expect(limitsOf({ or: Array.from({ length: 11 }, () => list) })).toEqual([
    [['or', 10, 'metadata.a', 'in'], 'Value error, a filter has at most 10000 values', 10_000],
  ]);
});

test('refuses more than 200 conditions', () => {
  const conditions = (count: number) => Array.from({ length: count }, () => ({ name: 'a' }));
  expect(limitsOf({ or: conditions(200) })).toEqual([]);
  expect(limitsOf({ or: conditions(201) })).toEqual([
    [['or'], 'Value error, a filter has at most 200 conditions', 200],
  ]);
  expect(limitsOf({ or: conditions(150), and: conditions(52) })).toEqual([
    [['and', 50, 'name'], 'Value error, a filter has at most 200 conditions', 200],
  ]);
});

test('a filter that an earlier version stored may have 500 conditions', () => {
  const conditions = (count: number) => ({ or: Array.from({ length: count }, () => ({ name: 'a' })) });
  expect(parseFilter(conditions(500), [], 'stored')).toMatchObject({ kind: 'or' });
  expect(() => parseFilter(conditions(501), [], 'stored')).toThrowError('a filter has at most 500 conditions');
});

test('a name in a path has at most 256 bytes, a path 32 parts', () => {
  const path = (parts: number, name = 'k') => `metadata.${Array.from({ length: parts }, () => name).join('.')}`;
  expect(limitsOf({ [path(32)]: 1, [path(1, 'é'.repeat(128))]: 1 })).toEqual([]);
  expect(limitsOf({ [path(33)]: 1, [path(2, `${'é'.repeat(128)}e`)]: 1 })).toEqual([
    [[path(33)], 'Value error, the path of a field has at most 32 parts', 32],
    [[path(2, `${'é'.repeat(128)}e`)], 'Value error, a name in a path has at most 256 bytes', 256],
  ]);
  expect(limitsOf({ [path(30_000)]: 1 })).toMatchObject([[expect.anything(), expect.anything(), 32]]);
});

test('a filter has at most 64 kB', () => {
  const filter = (bytes: number) => ({ name: 'a'.repeat(bytes - '{"name":""}'.length) });
  expect(limitsOf(filter(65_536))).toEqual([]);
  expect(limitsOf(filter(65_537))).toEqual([[[], 'Value error, a filter has at most 65536 bytes', 65_536]]);
});
