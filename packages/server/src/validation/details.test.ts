import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ErrorDetail } from '../errors.ts';
import { validate } from './details.ts';
import {
  choice,
  dateTime,
  flag,
  integer,
  number,
  optional,
  queryFlag,
  queryInteger,
  queryList,
  text,
  url,
  uuid,
} from './fields.ts';
import { metadataObject } from './json-object.ts';
import { readQuery } from './query.ts';

type Row = [name: string, schema: z.ZodType, input: unknown, type: string, msg: string, ctx?: Record<string, unknown>];

const INTEGER = integer({ ge: 1, le: 100 });
const QUERY_INTEGER = queryInteger({ ge: 1, le: 100 });
const LIST = z.array(text()).min(1).max(2);

/** Expected values as pydantic 2.14 and FastAPI 0.165 give them for the same schema and input. */
const rows: Row[] = [
  [
    'enum',
    choice('bm25', 'local', 'provider_a', 'provider_b'),
    'nope',
    'enum',
    "Input should be 'bm25', 'local', 'provider_a' or 'provider_b'",
    { expected: "'bm25', 'local', 'provider_a' or 'provider_b'" },
  ],
  [
    'enum of two',
    choice('asc', 'desc'),
    null,
    'enum',
    "Input should be 'asc' or 'desc'",
    { expected: "'asc' or 'desc'" },
  ],
  ['literal', z.literal('x'), 'y', 'literal_error', "Input should be 'x'", { expected: "'x'" }],
  ['string_type', text(), 1, 'string_type', 'Input should be a valid string'],
  ['string_type of null', text(), null, 'string_type', 'Input should be a valid string'],
  [
    'string_too_short, singular',
    text({ min: 1 }),
    '',
    'string_too_short',
    'String should have at least 1 character',
    { min_length: 1 },
  ],
  [
    'string_too_short, plural',
    text({ min: 2 }),
    'x',
    'string_too_short',
    'String should have at least 2 characters',
    { min_length: 2 },
  ],
  [
    'string_too_long in code points',
    text({ max: 5 }),
    '😀😀😀😀😀😀',
    'string_too_long',
    'String should have at most 5 characters',
    { max_length: 5 },
  ],
  [
    'string_too_long, singular',
    text({ max: 1 }),
    'ab',
    'string_too_long',
    'String should have at most 1 character',
    { max_length: 1 },
  ],
  [
    'string_pattern_mismatch',
    text({ pattern: /^[a-z]+$/ }),
    'A',
    'string_pattern_mismatch',
    "String should match pattern '^[a-z]+$'",
    { pattern: '^[a-z]+$' },
  ],
  ['int_type', INTEGER, [1], 'int_type', 'Input should be a valid integer'],
  ['int_type of a text in JSON', INTEGER, '5', 'int_type', 'Input should be a valid integer'],
  ['int_type of true in JSON', INTEGER, true, 'int_type', 'Input should be a valid integer'],
  [
    'int_parsing',
    QUERY_INTEGER,
    'abc',
    'int_parsing',
    'Input should be a valid integer, unable to parse string as an integer',
  ],
  [
    'int_parsing of nothing',
    QUERY_INTEGER,
    '',
    'int_parsing',
    'Input should be a valid integer, unable to parse string as an integer',
  ],
  [
    'int_from_float',
    INTEGER,
    1.5,
    'int_from_float',
    'Input should be a valid integer, got a number with a fractional part',
  ],
  [
    'int_parsing_size',
    INTEGER,
    1e30,
    'int_parsing_size',
    'Unable to parse input string as an integer, exceeded maximum size',
  ],
  ['float_type', number(), null, 'float_type', 'Input should be a valid number'],
  ['float_type of a text in JSON', number(), '0.5', 'float_type', 'Input should be a valid number'],
  ['float_type of true in JSON', number(), true, 'float_type', 'Input should be a valid number'],
  ['bool_type', flag(), null, 'bool_type', 'Input should be a valid boolean'],
  ['bool_type of a fraction', flag(), 1.5, 'bool_type', 'Input should be a valid boolean'],
  ['bool_type of a text in JSON', flag(), 'true', 'bool_type', 'Input should be a valid boolean'],
  ['bool_type of 1 in JSON', flag(), 1, 'bool_type', 'Input should be a valid boolean'],
  ['bool_parsing', queryFlag(), 'maybe', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
  ['less_than_equal', INTEGER, 101, 'less_than_equal', 'Input should be less than or equal to 100', { le: 100 }],
  [
    'greater_than_equal',
    QUERY_INTEGER,
    '0',
    'greater_than_equal',
    'Input should be greater than or equal to 1',
    { ge: 1 },
  ],
  [
    'not a number breaks the upper bound',
    number({ ge: 0, le: 60 }),
    Number.NaN,
    'less_than_equal',
    'Input should be less than or equal to 60',
    { le: 60 },
  ],
  ['greater_than', number({ gt: 0, lt: 1 }), 0, 'greater_than', 'Input should be greater than 0', { gt: 0 }],
  ['less_than', number({ gt: 0, lt: 1 }), 1, 'less_than', 'Input should be less than 1', { lt: 1 }],
  ['uuid_type', uuid(), 1, 'uuid_type', 'UUID input should be a string, bytes or UUID object'],
  [
    'uuid: character',
    uuid(),
    'xyz',
    'uuid_parsing',
    'Input should be a valid UUID, invalid character: found `x` at 0',
    { error: 'invalid character: found `x` at 0' },
  ],
  [
    'uuid: length',
    uuid(),
    '123',
    'uuid_parsing',
    'Input should be a valid UUID, invalid length: found 3',
    { error: 'invalid length: found 3' },
  ],
  [
    'uuid: groups',
    uuid(),
    '0192f0c4-1111-7000-80000000000000',
    'uuid_parsing',
    'Input should be a valid UUID, invalid group count: expected 5, found 4',
    { error: 'invalid group count: expected 5, found 4' },
  ],
  [
    'uuid: group',
    uuid(),
    '0192f0c4-1111-7000-8000-00000000000',
    'uuid_parsing',
    'Input should be a valid UUID, invalid group length in group 4: expected 12, found 11',
    { error: 'invalid group length in group 4: expected 12, found 11' },
  ],
  ['url_type', url('https'), 1, 'url_type', 'URL input should be a string or URL'],
  [
    'url: empty',
    url('https'),
    '',
    'url_parsing',
    'Input should be a valid URL, input is empty',
    { error: 'input is empty' },
  ],
  [
    'url: relative',
    url('https'),
    'nope',
    'url_parsing',
    'Input should be a valid URL, relative URL without a base',
    { error: 'relative URL without a base' },
  ],
  [
    'url: host',
    url('https'),
    'https://',
    'url_parsing',
    'Input should be a valid URL, empty host',
    { error: 'empty host' },
  ],
  [
    'url: port',
    url('https'),
    'https://x:99999/',
    'url_parsing',
    'Input should be a valid URL, invalid port number',
    { error: 'invalid port number' },
  ],
  [
    'url: IPv6',
    url('https'),
    'https://[::1',
    'url_parsing',
    'Input should be a valid URL, invalid IPv6 address',
    { error: 'invalid IPv6 address' },
  ],
  [
    'url: domain',
    url('https'),
    'https://a b/',
    'url_parsing',
    'Input should be a valid URL, invalid international domain name',
    { error: 'invalid international domain name' },
  ],
  [
    'url_scheme',
    url('https'),
    'http://x.y',
    'url_scheme',
    "URL scheme should be 'https'",
    { expected_schemes: "'https'" },
  ],
  [
    'url_scheme of two',
    url('http', 'https'),
    'ftp://x',
    'url_scheme',
    "URL scheme should be 'http' or 'https'",
    { expected_schemes: "'http' or 'https'" },
  ],
  ['list_type', LIST, 'x', 'list_type', 'Input should be a valid list'],
  [
    'too_short',
    LIST,
    [],
    'too_short',
    'List should have at least 1 item after validation, not 0',
    { field_type: 'List', min_length: 1, actual_length: 0 },
  ],
  [
    'too_long',
    LIST,
    ['a', 'b', 'c'],
    'too_long',
    'List should have at most 2 items after validation, not 3',
    { field_type: 'List', max_length: 2, actual_length: 3 },
  ],
  ['dict_type', metadataObject(), [], 'dict_type', 'Input should be a valid dictionary'],
  [
    'an object of fields',
    z.strictObject({}),
    'x',
    'model_attributes_type',
    'Input should be a valid dictionary or object to extract fields from',
  ],
  [
    'datetime: short',
    dateTime(),
    'x',
    'datetime_from_date_parsing',
    'Input should be a valid datetime or date, input is too short',
    { error: 'input is too short' },
  ],
  [
    'datetime: month',
    dateTime(),
    '2020-13-01T00:00:00Z',
    'datetime_from_date_parsing',
    'Input should be a valid datetime or date, month value is outside expected range of 1-12',
    { error: 'month value is outside expected range of 1-12' },
  ],
  ['datetime: type', dateTime(), {}, 'datetime_type', 'Input should be a valid datetime'],
  [
    'value_error',
    text(),
    'a\0b',
    'value_error',
    'Value error, NUL characters are not allowed',
    { error: 'NUL characters are not allowed' },
  ],
];

const detailsOf = (schema: z.ZodType, value: unknown, part: string): ErrorDetail[] => {
  const result = validate(schema, value, [part]);
  return 'details' in result ? result.details : [];
};

test.each(rows)('%s', (_name, schema, input, type, msg, ctx) => {
  const expected = { loc: ['body', 'field'], msg, type, input, ...(ctx === undefined ? {} : { ctx }) };
  expect(detailsOf(z.strictObject({ field: schema }), { field: input }, 'body')).toEqual([expected]);
});

test('all errors come at once, in the order of the fields, unknown ones last', () => {
  const schema = z.strictObject({
    name: text({ min: 1 }),
    config: z.strictObject({ provider: choice('a', 'b'), model: text() }),
    tags: z.array(z.strictObject({ key: text() })),
  });
  expect(
    detailsOf(schema, { x: 1, tags: [{ key: 'a' }, {}], config: { provider: 'c', model: 1, extra: true } }, 'body'),
  ).toEqual([
    { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
    {
      loc: ['body', 'config', 'provider'],
      msg: "Input should be 'a' or 'b'",
      type: 'enum',
      input: 'c',
      ctx: { expected: "'a' or 'b'" },
    },
    { loc: ['body', 'config', 'model'], msg: 'Input should be a valid string', type: 'string_type', input: 1 },
    { loc: ['body', 'config', 'extra'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden', input: true },
    { loc: ['body', 'tags', 1, 'key'], msg: 'Field required', type: 'missing' },
    { loc: ['body', 'x'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden', input: 1 },
  ]);
});

test('names of built-in object members are unknown fields like any other', () => {
  const body: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
  expect(detailsOf(z.strictObject({}), body, 'body').map((detail) => [detail.type, detail.loc])).toEqual([
    ['extra_forbidden', ['body', '__proto__']],
    ['extra_forbidden', ['body', 'constructor']],
  ]);
});

test('query strings: last of repeated values, lists repeated or with commas, unknown ones ignored', () => {
  const schema = z.object({
    limit: QUERY_INTEGER.default(50),
    include: queryList(choice('blocks', 'chunks')).default([]),
    name: optional(text()),
  });
  const read = (search: string): unknown =>
    validate(schema, readQuery(new URLSearchParams(search), schema.shape), ['query']);
  expect(read('limit=abc&limit=7&include=blocks&include=chunks,blocks&zz=1')).toEqual({
    value: { limit: 7, include: ['blocks', 'chunks', 'blocks'], name: undefined },
  });
  expect(read('')).toEqual({ value: { limit: 50, include: [], name: undefined } });
  expect(read('limit=0&include=blocks,x')).toEqual({
    details: [
      {
        loc: ['query', 'limit'],
        msg: 'Input should be greater than or equal to 1',
        type: 'greater_than_equal',
        input: '0',
        ctx: { ge: 1 },
      },
      {
        loc: ['query', 'include', 1],
        msg: "Input should be 'blocks' or 'chunks'",
        type: 'enum',
        input: 'x',
        ctx: { expected: "'blocks' or 'chunks'" },
      },
    ],
  });
});

test('integers and booleans are read from the text of a query the way pydantic does', () => {
  const integers = [' 5 ', '+5', '1_0', '005', '1.0'].map((value) => queryInteger().parse(value));
  expect(integers).toEqual([5, 5, 10, 5, 1]);
  expect(['yes', 'ON', 'T', '1', 'off', 'n', '0'].map((value) => queryFlag().parse(value))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  for (const value of ['1__0', '_1', '1_', '٥', '0x1', '1e5', ''])
    expect(queryInteger().safeParse(value).success).toBe(false);
});

test('a value with hundreds of faults gets a hundred details', () => {
  const unknown = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`k${index}`, 1]));
  expect(detailsOf(z.strictObject({}), unknown, 'body')).toHaveLength(100);
  const wrong = Array.from({ length: 700 }, () => 'x');
  const found = detailsOf(z.array(integer()), wrong, 'body');
  expect(found).toHaveLength(100);
  expect(found.at(-1)).toMatchObject({ loc: ['body', 99], type: 'int_type' });
});

test('ids are accepted in every form of a UUID and come out hyphenated in lower case', () => {
  const id = '0192f0c4-1111-7000-8000-00000000000a';
  for (const form of [id, id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, `urn:uuid:${id}`]) {
    expect(uuid().parse(form)).toBe(id);
  }
});

test('times without a zone are UTC; dates and Unix timestamps are times', () => {
  expect(dateTime().parse('2020-01-01T10:00:00')).toEqual(new Date('2020-01-01T10:00:00.000Z'));
  expect(dateTime().parse('2020-01-01 10:00:00.5+02:00')).toEqual(new Date('2020-01-01T08:00:00.500Z'));
  expect(dateTime().parse('2020-01-01')).toEqual(new Date('2020-01-01T00:00:00.000Z'));
  expect(dateTime().parse(1_577_836_800)).toEqual(new Date('2020-01-01T00:00:00.000Z'));
  expect(dateTime().parse('1577836800000')).toEqual(new Date('2020-01-01T00:00:00.000Z'));
});

test('metadata that could not be stored is refused', () => {
  const nested: unknown = JSON.parse('['.repeat(40) + ']'.repeat(40));
  const reasons = [{ a: ['x\0'] }, { ['\ud800']: 1 }, { a: nested }].map(
    (value) => detailsOf(metadataObject(), value, 'body')[0]?.ctx,
  );
  expect(reasons).toEqual([
    { error: 'NUL characters are not allowed' },
    { error: 'unpaired surrogates are not allowed' },
    { error: 'nested more than 32 levels deep', limit: 32 },
  ]);
});
