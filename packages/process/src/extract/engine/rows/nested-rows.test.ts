import { expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';

const paragraph = (text: string): BlockDraft => ({ type: 'paragraph', text, page: 1 });
const heading = (text: string): BlockDraft => ({ type: 'heading', level: 2, text, page: 1 });
const table = (...rows: string[][]): BlockDraft => ({
  type: 'table',
  page: 1,
  rows: rows.map((row, at) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: at === 0 }))),
});
const object = (properties: object): object => ({ type: 'object', properties });
const list = (items: object): object => ({ type: 'array', items });
const text = { type: 'string' };
const number = { type: 'number' };
const read = (schema: object, ...blocks: BlockDraft[]) =>
  extractTree(finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, 'en'), readSchema(schema));

const orders = object({
  orders: list(
    object({
      orderNumber: text,
      orderDate: { type: 'string', format: 'date' },
      lines: list(object({ description: text, quantity: number, amount: number })),
    }),
  ),
});
const header = ['Description', 'Quantity', 'Amount'];

test('text before a table belongs to its rows', () => {
  const { data, evidence } = read(
    orders,
    heading('Orders of March'),
    paragraph('Order number: A-1001 Order date: 3 March 2024'),
    table(header, ['Bolts', '3', '$6.00'], ['Nuts', '4', '$2.00']),
    paragraph('Order number: A-1002 Order date: 9 March 2024'),
    table(header, ['Washers', '10', '$1.50']),
  );
  expect(data).toEqual({
    orders: [
      {
        orderNumber: 'A-1001',
        orderDate: '2024-03-03',
        lines: [
          { description: 'Bolts', quantity: 3, amount: 6 },
          { description: 'Nuts', quantity: 4, amount: 2 },
        ],
      },
      {
        orderNumber: 'A-1002',
        orderDate: '2024-03-09',
        lines: [{ description: 'Washers', quantity: 10, amount: 1.5 }],
      },
    ],
  });
  expect(evidence['/orders/1/orderNumber']?.quote).toBe('A-1002');
});

test('a table that continues after a page break belongs to the same object', () => {
  const { data } = read(
    orders,
    paragraph('Order number: A-1001'),
    table(header, ['Bolts', '3', '$6.00']),
    table(header, ['Nuts', '4', '$2.00']),
  );
  expect(data).toEqual({
    orders: [
      {
        orderNumber: 'A-1001',
        lines: [
          { description: 'Bolts', quantity: 3, amount: 6 },
          { description: 'Nuts', quantity: 4, amount: 2 },
        ],
      },
    ],
  });
});

test('a row with a single text inside a table is the title of the rows after it', () => {
  const menu = object({ sections: list(object({ name: text, dishes: list(object({ dish: text, price: number })) })) });
  const { data } = read(
    menu,
    table(
      ['Dish', 'Price'],
      ['Starters', ''],
      ['Soup', '€4.50'],
      ['Salad', '€6.00'],
      ['Main courses', ''],
      ['Trout', '€18.00'],
    ),
  );
  expect(data).toEqual({
    sections: [
      {
        name: 'Starters',
        dishes: [
          { dish: 'Soup', price: 4.5 },
          { dish: 'Salad', price: 6 },
        ],
      },
      { name: 'Main courses', dishes: [{ dish: 'Trout', price: 18 }] },
    ],
  });
});

test('lists may be nested three levels deep', () => {
  const league = object({
    regions: list(
      object({
        region: text,
        teams: list(object({ team: text, players: list(object({ player: text, goals: { type: 'integer' } })) })),
      }),
    ),
  });
  const players = ['Player', 'Goals'];
  const { data } = read(
    league,
    paragraph('Region: North'),
    paragraph('Team: Harbour FC'),
    table(players, ['Ann Lee', '3'], ['Bo Ek', '1']),
    paragraph('Team: Mill United'),
    table(players, ['Cy Orr', '2']),
    paragraph('Region: South'),
    paragraph('Team: Quay Rovers'),
    table(players, ['Di Fox', '5']),
  );
  expect(data).toEqual({
    regions: [
      {
        region: 'North',
        teams: [
          {
            team: 'Harbour FC',
            players: [
              { player: 'Ann Lee', goals: 3 },
              { player: 'Bo Ek', goals: 1 },
            ],
          },
          { team: 'Mill United', players: [{ player: 'Cy Orr', goals: 2 }] },
        ],
      },
      { region: 'South', teams: [{ team: 'Quay Rovers', players: [{ player: 'Di Fox', goals: 5 }] }] },
    ],
  });
});

test('a cell of a row may list several values', () => {
  const { data } = read(
    object({ staff: list(object({ employee: text, skills: list(text), years: number })) }),
    table(['Employee', 'Skills', 'Years'], ['Ann Lee', 'welding, drawing', '3'], ['Bo Ek', 'sales', '1']),
  );
  expect(data).toEqual({
    staff: [
      { employee: 'Ann Lee', skills: ['welding', 'drawing'], years: 3 },
      { employee: 'Bo Ek', skills: ['sales'], years: 1 },
    ],
  });
});
