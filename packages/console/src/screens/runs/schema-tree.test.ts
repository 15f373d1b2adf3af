import { expect, test } from 'vitest';
import { fieldsOf, newField, schemaOf } from './schema-tree.ts';

const ITEMS = {
  type: 'object',
  properties: {
    number: { type: 'string', description: 'As printed at the top.' },
    date: { type: 'string', format: 'date' },
    items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
  },
};

test('a schema becomes a tree of fields and the same schema again', () => {
  expect(fieldsOf(ITEMS)?.map(({ name, type, isList, children }) => [name, type, isList, children.length])).toEqual([
    ['number', 'text', false, 0],
    ['date', 'date', false, 0],
    ['items', 'group', true, 1],
  ]);
  expect(schemaOf(fieldsOf(ITEMS)!)).toEqual(ITEMS);
});

test('a schema with parts that the tree does not show is left to its text', () => {
  expect(fieldsOf({ ...ITEMS, required: ['number'] })).toBe(undefined);
  expect(fieldsOf({ type: 'object', properties: { kind: { type: 'string', enum: ['a'] } } })).toBe(undefined);
  expect(fieldsOf(['no schema'])).toBe(undefined);
});

test('fields without a name are left out', () => {
  expect(schemaOf([newField({ name: 'total', type: 'number' }), newField()])).toEqual({
    type: 'object',
    properties: { total: { type: 'number' } },
  });
});
