import { describe, expect, test } from 'vitest';
import { readSchema } from './read-schema.ts';
import { SchemaProblem } from './schema-problem.ts';
import { compileSchema } from './validator.ts';

/** Returns where a schema is rejected, and why. */
function refusal(schema: unknown): [path: readonly (string | number)[], reason: string] | 'accepted' {
  try {
    readSchema(schema);
    return 'accepted';
  } catch (error) {
    if (error instanceof SchemaProblem) return [error.path, error.message];
    throw error;
  }
}

test('references of every local form are normalised, and unused definitions are dropped', () => {
  const schema = {
    $id: 'https://example.com/order.json',
    $defs: {
      money: { $anchor: 'money', type: 'number', minimum: 0 },
      line: { type: 'object', properties: { price: { $ref: '#money' } } },
      unused: { type: 'string' },
    },
    type: 'object',
    properties: {
      total: { $ref: '#/$defs/money' },
      lines: { type: 'array', items: { $ref: 'https://example.com/order.json#/%24defs/line' } },
    },
    'x-evaluation': 'exact',
  };
  expect(readSchema(schema)).toEqual({
    type: 'object',
    properties: { total: { $ref: '#/$defs/r0' }, lines: { type: 'array', items: { $ref: '#/$defs/r1' } } },
    $defs: {
      r0: { type: 'number', minimum: 0 },
      r1: { type: 'object', properties: { price: { $ref: '#/$defs/r0' } } },
    },
  });
});

test('keywords of older drafts are converted to 2020-12', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    id: 'root',
    properties: {
      share: { type: 'number', minimum: 0, exclusiveMinimum: true },
      pair: { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
      aside: { $ref: '#/definitions/name', type: 'number' },
    },
    dependencies: { share: ['pair'], pair: { required: ['aside'] } },
    definitions: { name: { type: 'string' } },
  };
  expect(readSchema(schema)).toEqual({
    properties: {
      share: { type: 'number', exclusiveMinimum: 0 },
      pair: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      aside: { $ref: '#/$defs/r0' },
    },
    dependentRequired: { share: ['pair'] },
    dependentSchemas: { pair: { required: ['aside'] } },
    $defs: { r0: { type: 'string' } },
  });
});

describe('invalid keywords are rejected with their position', () => {
  const nested = (levels: number): unknown =>
    JSON.parse(`${'{"properties":{"a":'.repeat(levels)}true${'}}'.repeat(levels)}`);
  test.each<[string, unknown, readonly (string | number)[], RegExp]>([
    ['no schema', 'string', [], /is an object/],
    ['an unknown type', { properties: { a: { type: 'text' } } }, ['properties', 'a', 'type'], /must be one of null/],
    ['a remote reference', { $ref: 'https://example.com/x.json' }, ['$ref'], /only references within/],
    ['a reference to nothing', { items: { $ref: '#/$defs/a' } }, ['items', '$ref'], /does not have/],
    ['a reference to itself', { $ref: '#' }, [], /without end/],
    [
      'a loop of definitions',
      {
        $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
        items: { $ref: '#/$defs/a' },
      },
      ['$defs', 'a'],
      /without end/,
    ],
    ['look-ahead', { properties: { a: { pattern: '(?=x)' } } }, ['properties', 'a', 'pattern'], /regular expression/],
    [
      'a back-reference',
      { patternProperties: { '(a)\\1': {} } },
      ['patternProperties', '(a)\\1'],
      /regular expression/,
    ],
    ['a huge repetition', { pattern: '(a{1,1000}){1,1000}' }, ['pattern'], /regular expression/],
    ['an empty enumeration', { enum: [] }, ['enum'], /at least one value/],
    ['a limit in words', { maximum: 'ten' }, ['maximum'], /must be a number/],
    ['a list where a schema belongs', { not: [] }, ['not'], /must be a schema/],
    ['a prototype', JSON.parse('{"properties":{"__proto__":{}}}'), ['properties', '__proto__'], /not supported/],
    ['a required prototype', { required: ['__proto__'] }, ['required', 0], /not supported/],
    ['an unknown dialect', { $schema: 'https://example.com/mine' }, ['$schema'], /unknown dialect/],
    ['a wrong schema that nothing uses', { $defs: { a: { type: 3 } } }, ['$defs', 'a', 'type'], /must be one of/],
  ])('%s', (_, schema, path, reason) => {
    expect(refusal(schema)).toEqual([path, expect.stringMatching(reason)]);
  });

  test('depth, number of subschemas and size are limited', () => {
    expect(refusal(nested(40))).toBe('accepted');
    expect(refusal(nested(5_000))[1]).toMatch(/nested deeper than 100 levels/);
    const wide = (count: number): unknown => ({
      properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}])),
    });
    expect(refusal(wide(4_999))).toBe('accepted');
    expect(refusal(wide(5_000))[1]).toMatch(/more than 5000 subschemas/);
    const patterns = (count: number, distinct: number): unknown => ({
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`p${at}`, { pattern: `^a{${at % distinct}}$` }]),
      ),
    });
    expect(refusal(patterns(1_000, 200))).toBe('accepted');
    expect(refusal(patterns(201, 201))[1]).toMatch(/more than 200 patterns/);
    expect(refusal({ description: 'x'.repeat(600_000) })[1]).toMatch(/larger than 512 kB/);
  });
});

describe('hostile but valid schemas are accepted', () => {
  test('recursion through properties is accepted', () => {
    const check = compileSchema(readSchema({ properties: { next: { $ref: '#' }, name: { type: 'string' } } }));
    expect(check({ next: { next: { name: 'a' } } })).toEqual([]);
    expect(check({ next: { next: { name: 1 } } })).toEqual([
      { pointer: '/next/next/name', message: '/next/next/name must be string' },
    ]);
  });

  test('names of properties are never code, and never those of prototypes', () => {
    const names = ['"]);process.exit(1);//', "'+process+'", 'constructor', 'toString', 'a\nb', '\u2028'];
    const check = compileSchema(
      readSchema({ properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])), required: names }),
    );
    expect(check({}).length).toBe(1);
    expect(check(Object.fromEntries(names.map((name) => [name, 1])))).toEqual([]);
  });

  test('patterns run in linear time', () => {
    const check = compileSchema(readSchema({ type: 'string', pattern: '^(a+)+$' }));
    expect(check(`${'a'.repeat(50_000)}b`).length).toBe(1);
  });

  test('`$async` and `nullable` are not keywords', () => {
    const check = compileSchema(readSchema({ $async: true, type: 'string', nullable: true }));
    expect(check('a')).toEqual([]);
    expect(check(null).length).toBe(1);
  });

  test('references that double at every level do not multiply the code', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        at === 39
          ? { type: 'string' }
          : { properties: { a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } } },
      ]),
    );
    expect(compileSchema(readSchema({ $defs, $ref: '#/$defs/d0' }))({ a: { b: { a: 1 } } })).toEqual([]);
  });
});
