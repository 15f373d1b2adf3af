import { expect, test } from 'vitest';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';

const SCHEMA = readSchema({
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: { type: 'object', properties: { description: { type: 'string' }, amount: { type: 'number' } } },
    },
  },
});

function items(...rows: string[][]): unknown {
  const cells = rows.map((row) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: false })));
  const blocks = [{ type: 'table' as const, page: 1, rows: cells }];
  return (
    extractTree(finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, 'de'), SCHEMA).data as {
      items?: unknown;
    }
  ).items;
}

test('amounts that a sum below them adds up are the lines of a bill without a header', () => {
  expect(
    items(
      ['Kfz-Haftpflicht SF25 (30 %)', '80,00 €'],
      ['Vollkasko SF25 (30 %)', '140,00 €'],
      ['vierteljährlicher Beitrag', '220,00 €'],
      ['darin enthaltene Steuer', '35,13 €'],
    ),
  ).toEqual([
    { description: 'Kfz-Haftpflicht SF25 (30 %)', amount: 80 },
    { description: 'Vollkasko SF25 (30 %)', amount: 140 },
  ]);
});

test.each([
  [
    'a sum and its tax',
    [
      ['Netto', '100,00 €'],
      ['USt 19 %', '19,00 €'],
      ['Gesamtbetrag', '119,00 €'],
    ],
  ],
  [
    'amounts that nothing adds up',
    [
      ['Strom', '80,00 €'],
      ['Gas', '140,00 €'],
      ['Wasser', '70,00 €'],
    ],
  ],
  [
    'one amount twice',
    [
      ['Wohngebäude', '100,00 €'],
      ['Hausrat', '100,00 €'],
    ],
  ],
])('%s are no lines', (_, rows) => {
  expect(items(...rows)).toBeUndefined();
});
