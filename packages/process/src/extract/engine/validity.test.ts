// large: extracts from hundreds of generated documents
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finishTree } from '@quire/blocks/finish-tree';
import { ContentError } from '@quire/blocks/content-error';
import { readSchema } from '../schema/read-schema.ts';
import { compileSchema } from '../schema/validator.ts';
import { extractTree } from './extract-tree.ts';

const NAMES = ['total', 'date', 'name', 'invoice_number', 'lines', 'email', 'paid', 'constructor', 'x'];

const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('text'),
    tie('number'),
    tie('other'),
    tie('object'),
    tie('list'),
    tie('combined'),
  ),
  text: fc.record(
    {
      type: fc.constantFrom('string', ['string', 'null']),
      format: fc.constantFrom('date', 'date-time', 'email', 'uri', 'unknown'),
      pattern: fc.constantFrom('^[A-Z]', '\\d{4}', '^$', '^(a+)+$'),
      minLength: fc.nat(12),
      maxLength: fc.nat(30),
      enum: fc.constantFrom(['open', 'Paid'], ['', 'x'], [null, 'USD']),
    },
    { requiredKeys: ['type'] },
  ),
  number: fc.record(
    {
      type: fc.constantFrom('number', 'integer', ['number', 'null'], ['string', 'integer']),
      minimum: fc.integer({ min: -5, max: 50 }),
      multipleOf: fc.constantFrom(0.01, 1, 7),
    },
    { requiredKeys: ['type'] },
  ),
  other: fc.constantFrom(
    {},
    true,
    false,
    { type: 'boolean' },
    { type: 'null' },
    { const: 'fixed' },
    { const: { a: [1] } },
    { $ref: '#' },
  ),
  object: fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 4 }),
      required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
      additionalProperties: fc.constantFrom(true, false, { type: 'string' }),
      minProperties: fc.nat(2),
    },
    { requiredKeys: ['type', 'properties'] },
  ),
  list: fc.record(
    {
      type: fc.constant('array'),
      items: tie('schema'),
      prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      minItems: fc.nat(2),
      maxItems: fc.integer({ min: 1, max: 5 }),
      uniqueItems: fc.boolean(),
    },
    { requiredKeys: ['type'] },
  ),
  combined: fc.oneof(
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('schema') }),
    fc
      .tuple(tie('schema'), tie('schema'), tie('schema'))
      .map((parts) => Object.fromEntries(['if', 'then', 'else'].map((keyword, at) => [keyword, parts[at]]))),
  ),
}));

const tree = finishTree(
  {
    blocks: [
      { type: 'paragraph', text: 'Invoice Number: A-77 Date: 14/03/2024 Email: a@example.com Paid: yes', page: 1 },
      {
        type: 'table',
        page: 1,
        rows: [
          ['Name', 'Date', 'Total'],
          ['One', '2024-01-02', '7.00'],
          ['Two', '2024-01-03', '12.50'],
          ['Total', '', '19.50'],
        ].map((row, at) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: at === 0 }))),
      },
    ],
    pageCount: 1,
    title: null,
    warnings: [],
  },
  'en',
);

test('for any schema the data validates or the failure has a type, and evidence belongs to leaves of the data', () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const written = read(schema);
      if (written === undefined) return;
      try {
        const { data, evidence } = extractTree(tree, written);
        expect(compileSchema(written)(data)).toEqual([]);
        for (const pointer of Object.keys(evidence)) expect(at(data, pointer)).toBeDefined();
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        expect(['no_value', 'unsupported']).toContain(error.type);
      }
    }),
    { numRuns: 300 },
  );
});

/** Returns undefined for a schema that refers to itself endlessly. */
function read(schema: unknown): ReturnType<typeof readSchema> | undefined {
  try {
    return readSchema(schema);
  } catch {
    return undefined;
  }
}

function at(data: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, segment) => (value as Record<string, unknown>)[segment], data);
}
