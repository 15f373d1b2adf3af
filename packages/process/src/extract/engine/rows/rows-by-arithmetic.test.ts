import { describe, expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';

const table = (...rows: string[][]): BlockDraft => ({
  type: 'table',
  page: 1,
  bbox: [0.1, 0.3, 0.9, 0.5],
  rows: rows.map((row, at) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: at === 0 && isHeader(row) }))),
});
const isHeader = (row: readonly string[]): boolean => !row.some((text) => /\d/u.test(text));

const number = { type: 'number' };
const FIELDS = { description: { type: 'string' }, quantity: number, unit_price: number, amount: number };

function items(blocks: BlockDraft[], language = 'en', properties: object = FIELDS): unknown {
  const schema = {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'object', properties } } },
  };
  const tree = finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, language);
  return (extractTree(tree, readSchema(schema)).data as { items?: unknown }).items;
}

const chair = { description: 'Folding chair', quantity: 12, unit_price: 18.5, amount: 222 };
const desk = { description: 'Standing desk', quantity: 2, unit_price: 340.25, amount: 680.5 };

describe('lines of an invoice by arithmetic', () => {
  test('below a header that is a table of its own, with other columns', () => {
    const header = table(['Code', '', '', 'Line'], ['Pos', 'Description Net price', 'Quantity', 'value']);
    const lines = table(
      ['1', 'Folding chair', '18.5000', '12 pcs', '20 %', '222.00'],
      ['', 'Colour: 3 shades', '', '', '', ''],
      ['2', 'Standing desk', '340.2500', '2 pcs', '20 %', '680.50'],
    );
    expect(items([header, lines])).toEqual([chair, desk]);
  });

  test('with all numbers of a line in one cell, behind a code', () => {
    const lines = table(
      ['GTIN Code Quantity Pack Net price Rate', 'Net value'],
      ['4012345000009 FC88 12.0000 pcs 1 18.5000 20.0', '222.00'],
      ['Folding chair', ''],
      ['4012345000016 SD90 2.0000 pcs 1 340.2500 20.0', '680.50'],
      ['Standing desk', ''],
    );
    expect(items([lines])).toEqual([chair, desk]);
  });

  test('with the description and the numbers in one cell', () => {
    const lines = table(
      ['1', 'Folding chair 18.50 12 pcs 20 %', '222.00'],
      ['2', 'Standing desk 340.25 2 pcs 20 %', '680.50'],
    );
    expect(items([lines])).toEqual([chair, desk]);
  });

  test('of a credit note, with a discount, and without a product of their own beside such lines', () => {
    const lines = table(
      ['Item', 'Number of pieces', 'Per piece', 'Net'],
      ['Folding chair', '12 pcs', '£18.50', '-£222.00'],
      ['Standing desk', '2 pcs', '£340.25 10%', '-£612.45'],
      ['Lamp', '3 pcs', '£20.00', '-£50.00'],
    );
    expect(items([lines])).toEqual([
      { ...chair, amount: -222 },
      { ...desk, amount: -612.45 },
      { description: 'Lamp', quantity: 3, unit_price: 20, amount: -50 },
    ]);
  });

  test('keep the other columns of the header', () => {
    const lines = table(
      ['SKU', 'Description', 'Quantity', 'Value of the goods'],
      ['FC-88', 'Folding chair', '12', '18.50 222.00'],
      ['SD-90', 'Standing desk', '2', '340.25 680.50'],
    );
    expect(items([lines], 'en', { ...FIELDS, sku: { type: 'string' } })).toEqual([
      { sku: 'FC-88', ...chair },
      { sku: 'SD-90', ...desk },
    ]);
  });

  test('have the factor as quantity that the header names, also with a unit behind the price', () => {
    const lines = table(
      ['No', 'Name', 'Unit price', 'Unit', 'Qty', 'Discount Charge', 'Total'],
      ['1', 'Support - month of January', '(gross 60.00) (net) 60.00', 'PCE', '1.00', '-1.00 1.00', '60.00'],
      ['2', 'Paper - Description', '(gross 10.00) (net) 10.00', 'PCE', '3.00', '', '30.00'],
    );
    expect(items([lines])).toMatchObject([
      { quantity: 1, amount: 60 },
      { quantity: 3, amount: 30 },
    ]);
  });

  test.each([
    [
      'telephone numbers',
      [
        ['Sales', 'Tony Dubois'],
        ['Phone', '+33 4 72 07 08 56'],
        ['Mobile', '+33 6 11 22 33 44'],
      ],
    ],
    [
      'codes with leading zeros',
      [
        ['Delivery note', '002 30 60'],
        ['Receipt', '003 20 60'],
      ],
    ],
    [
      'sums and taxes',
      [
        ['Net', '850.00'],
        ['VAT 20 %', '170.00'],
        ['Total', '1,020.00'],
      ],
    ],
    [
      'taxes at two rates',
      [
        ['VAT', '100.00', '20', '20.00'],
        ['VAT', '50.00', '5', '2.50'],
      ],
    ],
    [
      'readings of a meter',
      [
        ['Meter north', '100', '250', '350'],
        ['Meter south', '10', '20', '30'],
      ],
    ],
    ['the same amount twice', [['Open on 3 May', '222.00', '222.00']]],
  ])('are not found in %s', (_, rows) => {
    expect(items([table(...rows)])).toBeUndefined();
  });
});
