import { expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';

const table = (...rows: string[][]): BlockDraft => ({
  type: 'table',
  page: 1,
  rows: rows.map((row) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: false }))),
});
const amount = { type: 'number' };
const date = { type: 'string', format: 'date' };

function read(properties: object, blocks: BlockDraft[], language = 'en') {
  const tree = finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, language);
  return extractTree(tree, readSchema({ type: 'object', properties }));
}

const sums = { subtotal: amount, tax: amount, total: amount };
const rows = [
  ['Net amount', '473.00'],
  ['VAT 7 %', '19.25'],
  ['VAT 19 %', '37.62'],
];

test('taxes at two rates confirm the sums, and none of them is the tax', () => {
  const { data, evidence } = read(sums, [table(...rows, ['Total due', '529.87'])]);
  expect(data).toEqual({ subtotal: 473, total: 529.87 });
  expect([evidence['/subtotal']?.confidence, evidence['/total']?.confidence]).toEqual([0.99, 0.99]);
});

test('the sum of the taxes is the tax where it is printed', () => {
  const { data } = read(sums, [table(...rows, ['VAT', '56.87'], ['Total due', '529.87'])]);
  expect(data).toEqual({ subtotal: 473, tax: 56.87, total: 529.87 });
});

test('the code of an article is no sum', () => {
  expect(read({ tax: amount }, [table(['Tax', '4012345000009'])]).data).toEqual({});
});

test('compounds with a hyphen are labels of their own, and days of payment may be between the words', () => {
  const blocks: BlockDraft[] = [
    { type: 'paragraph', page: 1, text: 'Bestell-Datum: 01.08.2031' },
    { type: 'paragraph', page: 1, text: 'Beleg-Datum: 16.09.2031' },
    { type: 'paragraph', page: 1, text: 'Zahlbar innerhalb 30 Tagen netto bis 16.10.2031' },
  ];
  expect(read({ invoice_date: date, due_date: date }, blocks, 'de').data).toEqual({
    invoice_date: '2031-09-16',
    due_date: '2031-10-16',
  });
});

test('the number of a credit note is behind its title', () => {
  const title: BlockDraft = { type: 'heading', level: 1, page: 1, text: 'Avoir AV-2031-0005' };
  const ref: BlockDraft = { type: 'paragraph', page: 1, text: 'Dossier D-2031-0010' };
  expect(read({ invoice_number: { type: 'string' } }, [title, ref], 'fr').data).toEqual({
    invoice_number: 'AV-2031-0005',
  });
});

test.each([
  ['en', ['Net amount', 'VAT 20 %', 'Total due', 'Amount paid', 'Amount due']],
  ['fr', ['Total HT', 'TVA 20 %', 'Total TTC', 'Montant déjà payé', 'Net à payer']],
  ['de', ['Nettobetrag', 'USt. 20 %', 'Gesamtbetrag', 'Erhaltene Anzahlungen', 'Zahlbetrag']],
])('what is left to pay after an advance is not the total (%s)', (language, [net, tax, total, paid, left]) => {
  const lines = table([net!, '100.00'], [tax!, '20.00'], [total!, '120.00'], [paid!, '30.00'], [left!, '90.00']);
  expect(read(sums, [lines], language).data).toEqual({ subtotal: 100, tax: 20, total: 120 });
  const untaxed = table([total!, '120.00'], [paid!, '30.00'], [left!, '90.00']);
  expect(read(sums, [untaxed], language).data).toEqual({ total: 120 });
});
