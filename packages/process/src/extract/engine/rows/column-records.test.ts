import { expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';

const table = (...rows: string[][]): BlockDraft => ({
  type: 'table',
  page: 1,
  rows: rows.map((row, at) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: at === 0 }))),
});
const number = { type: 'number' };
const text = { type: 'string' };

function records(properties: object, ...blocks: BlockDraft[]): unknown {
  const items = { type: 'object', properties };
  const schema = readSchema({ type: 'object', properties: { records: { type: 'array', items } } });
  const tree = finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, 'en');
  return (extractTree(tree, schema).data as { records?: unknown }).records;
}

test('years as columns are records, with the labels of the rows as fields', () => {
  const statement = table(
    ['EUR million', '2031', '2030', '2029'],
    ['Revenue', '1,204.5', '1,101.0', '998.2'],
    ['Cost of sales', '(802.1)', '(760.4)', '(701.9)'],
    ['Net income', '88.1', '71.3', '60.0'],
  );
  expect(records({ year: { type: 'integer' }, revenue: number, net_income: number }, statement)).toEqual([
    { year: 2031, revenue: 1204.5, net_income: 88.1 },
    { year: 2030, revenue: 1101, net_income: 71.3 },
    { year: 2029, revenue: 998.2, net_income: 60 },
  ]);
});

test('quarters below a title row, and dates, are records too', () => {
  const quarters = table(
    ['Key figures', '', ''],
    ['', 'Q1 2031', 'Q2 2031'],
    ['Orders', '120', '131'],
    ['Employees', '48', '51'],
  );
  const found = records({ period: text, orders: number, employees: number }, quarters);
  expect(found).toEqual([
    { period: 'Q1 2031', orders: 120, employees: 48 },
    { period: 'Q2 2031', orders: 131, employees: 51 },
  ]);
});

test('plans side by side are records by name', () => {
  const plans = table(
    ['', 'Basic', 'Team', 'Company'],
    ['Price', '€9.00', '€29.00', '€99.00'],
    ['Users', '1', '10', '100'],
    ['Support', 'e-mail', 'e-mail', 'telephone'],
  );
  expect(records({ name: text, price: number, users: { type: 'integer' }, support: text }, plans)).toEqual([
    { name: 'Basic', price: 9, users: 1, support: 'e-mail' },
    { name: 'Team', price: 29, users: 10, support: 'e-mail' },
    { name: 'Company', price: 99, users: 100, support: 'telephone' },
  ]);
});

test('a table with a record in each row is read by rows, also with years as columns', () => {
  const rows = table(['Name', 'Price', 'Users'], ['Basic', '€9.00', '1'], ['Team', '€29.00', '10']);
  expect(records({ name: text, price: number, users: number }, rows)).toEqual([
    { name: 'Basic', price: 9, users: 1 },
    { name: 'Team', price: 29, users: 10 },
  ]);
  const label = table(['Label', 'Value'], ['Price', '€9.00'], ['Users', '1']);
  expect(records({ name: text, price: number, users: number }, label)).not.toEqual([
    expect.anything(),
    expect.anything(),
  ]);
});
