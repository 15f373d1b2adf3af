import { expect, test } from 'vitest';
import { toGrammarSchema } from './grammar-schema.ts';

const ANY = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array' },
    { type: 'object', additionalProperties: true },
  ],
};

test.each<[object, object]>([
  [
    { type: 'object', properties: { a: { type: 'string', pattern: '^x', minLength: 2 } }, title: 'T' },
    {
      type: 'object',
      properties: { a: { type: 'string', minLength: 2 } },
      required: ['a'],
      additionalProperties: false,
    },
  ],
  [{ properties: {} }, { type: 'object', additionalProperties: true }],
  [
    { type: 'object', additionalProperties: { type: 'integer' } },
    { type: 'object', additionalProperties: { type: 'integer' } },
  ],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { oneOf: [{ type: 'string' }, { type: 'null' }] }],
  [
    { type: ['array', 'null'], items: { type: 'number', minimum: 3 } },
    { oneOf: [{ type: 'array', items: { type: 'number' } }, { type: 'null' }] },
  ],
  [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date' },
  ],
  [{ type: 'string', format: 'email' }, { type: 'string' }],
  [{ enum: ['a', 1, null] }, { enum: ['a', 1, null] }],
  [{ enum: ['a', { b: 1 }] }, ANY],
  [{ const: 'x' }, { const: 'x' }],
  [{ allOf: [{ type: 'boolean' }] }, { type: 'boolean' }],
  [{ not: { type: 'string' } }, ANY],
  [{}, ANY],
  [
    { type: 'array', minItems: 1, maxItems: 3, uniqueItems: true },
    { type: 'array', minItems: 1, maxItems: 3 },
  ],
])('%j becomes %j', (schema, expected) => {
  expect(toGrammarSchema(schema as Record<string, unknown>)).toEqual(expected);
});

test('references to definitions are kept, including circular ones; other references allow any value', () => {
  const schema = {
    $ref: '#/definitions/node',
    definitions: {
      node: { properties: { next: { $ref: '#/definitions/node' }, other: { $ref: 'https://x.example/y' } } },
    },
  };
  expect(toGrammarSchema(schema)).toEqual({
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: { next: { $ref: '#/$defs/node' }, other: ANY },
        required: ['next', 'other'],
        additionalProperties: false,
      },
    },
  });
});
