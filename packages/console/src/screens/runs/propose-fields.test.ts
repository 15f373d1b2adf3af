import { expect, test } from 'vitest';
import { proposeFields } from './propose-fields.ts';
import { schemaOf } from './schema-tree.ts';

const SAMPLE = `# Invoice

**Invoice number:** A-1077
- Invoice date: 4 March 2026
Due: 2026-04-03
Paid: no
Total amount: 1,120.50 EUR
The total is due within 30 days of receipt of this letter: please pay.
10:30 is not a label

## Items

| Article | Quantity | Price |
| --- | --- | --- |
| Chair | 4 | 55.00 |

| Supplier | Acme Ltd |
| --- | --- |
| Founded | 1987 |
`;

test('labels with values and tables become fields with the types of their values', () => {
  expect(schemaOf(proposeFields(SAMPLE))).toEqual({
    type: 'object',
    properties: {
      invoiceNumber: { type: 'string' },
      invoiceDate: { type: 'string', format: 'date' },
      due: { type: 'string', format: 'date' },
      paid: { type: 'boolean' },
      totalAmount: { type: 'number' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { article: { type: 'string' }, quantity: { type: 'number' }, price: { type: 'number' } },
        },
      },
      supplier: { type: 'string' },
      founded: { type: 'number' },
    },
  });
});

test('a text without labels proposes nothing', () => {
  expect(proposeFields('A plain sentence.\n\nAnother one, without any label.')).toEqual([]);
});
