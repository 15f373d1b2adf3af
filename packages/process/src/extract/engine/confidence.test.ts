import { expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../schema/read-schema.ts';
import { extractTree } from './extract-tree.ts';

const number = { type: 'number' };
const SCHEMA = readSchema({
  type: 'object',
  properties: {
    subtotal: number,
    tax: number,
    total: number,
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { description: { type: 'string' }, quantity: number, unit_price: number, amount: number },
      },
    },
  },
});

/** Returns the confidence of the total and of the row's amount. */
function confidences(amount: string, total: string): unknown {
  const table = (...rows: string[][]): BlockDraft => ({
    type: 'table',
    page: 1,
    rows: rows.map((row, at) =>
      row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: at === 0 && row.length > 2 })),
    ),
  });
  const blocks = [
    table(['Description', 'Qty', 'Unit price', 'Amount'], ['Oak table', '2', '450.00', amount]),
    table(['Subtotal', '900.00'], ['VAT', '180.00'], ['Total due', total]),
  ];
  const tree = finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, 'en');
  const { data, evidence } = extractTree(tree, SCHEMA);
  expect(data).toMatchObject({ total: Number(total.replace(',', '')), items: [{ quantity: 2 }] });
  return [evidence['/total']?.confidence, evidence['/items/0/amount']?.confidence];
}

test('only sums and rows that arithmetic confirms are certain', () => {
  expect(confidences('900.00', '1,080.00')).toEqual([0.99, 0.99]);
  expect(confidences('910.00', '1,090.00')).toEqual([0.85, 0.6]);
});
