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

const table = (...rows: string[][]): BlockDraft => ({
  type: 'table',
  page: 1,
  rows: rows.map((row, at) =>
    row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: at === 0 && row.length > 2 })),
  ),
});

/** Returns the confidence of the total and of the row's amount. */
function confidences(amount: string, total: string): unknown {
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

/** Returns the confidence of a tax beside a net sum and a total. */
function confidenceOfTax(net: string, tax: string, total: string): number | undefined {
  const blocks = [table(['Subtotal', net], ['VAT', tax], ['Total due', total])];
  const tree = finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, 'en');
  return extractTree(tree, SCHEMA).evidence['/tax']?.confidence;
}

test('a sum confirms no tax that is too large or has another sign than the net sum', () => {
  expect(confidenceOfTax('485.00', '92.15', '577.15')).toBe(0.99);
  expect(confidenceOfTax('485.00', '282.00', '767.00')).toBe(0.85);
  expect(confidenceOfTax('-2.90', '0.08', '-2.82')).toBe(0.85);
});

/** Returns the confidence of each value in the blocks. */
function confidencesIn(...blocks: BlockDraft[]): Record<string, number> {
  const tree = finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, 'en');
  const { evidence } = extractTree(tree, SCHEMA);
  return Object.fromEntries(Object.entries(evidence).map(([at, { confidence }]) => [at, confidence]));
}

test('a sum is not certain beside another amount with the same label, nor with a sign', () => {
  expect(confidencesIn(table(['Subtotal', '485.00']))).toEqual({ '/subtotal': 0.98 });
  expect(confidencesIn(table(['Subtotal', '485.00'], ['Subtotal', '15.00']))).toEqual({ '/subtotal': 0.85 });
  expect(confidencesIn(table(['Subtotal', '-485.00']))).toEqual({ '/subtotal': 0.85 });
});

test('arithmetic makes the numbers of a line certain, and a text only without a number of its own', () => {
  const header = ['Description', 'Qty', 'Unit price', 'Amount'];
  const item = (text: string): BlockDraft => table(header, [text, '2', '450.00', '900.00']);
  expect(confidencesIn(item('Oak table'))).toMatchObject({ '/items/0/description': 0.99, '/items/0/amount': 0.99 });
  expect(confidencesIn(item('Oak table GTIN: 4012345000009'))).toMatchObject({
    '/items/0/description': 0.85,
    '/items/0/amount': 0.99,
  });
  const joined = (amount: string): BlockDraft => table(['1', '2 pcs at 450.00', 'Oak table', amount]);
  // A discount below the line may change its price and its amount, but not its quantity.
  expect(confidencesIn(joined('900.00'))).toMatchObject({ '/items/0/quantity': 0.95, '/items/0/amount': 0.88 });
  expect(confidencesIn(joined('-900.00'))).toMatchObject({ '/items/0/quantity': 0.88, '/items/0/amount': 0.88 });
});
