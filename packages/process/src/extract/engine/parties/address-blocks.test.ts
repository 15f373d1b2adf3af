import { expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { segmentDocument } from '../document/segments.ts';
import { extractTree } from '../extract-tree.ts';

const LINE_HEIGHT = 0.015;

/** Returns a paragraph of printed lines, as the parser joins them. */
function block(x: number, y: number, ...lines: string[]): BlockDraft {
  let next = 0;
  const placed = lines.map((line, at) => {
    const start = next;
    next += line.length + 1;
    const top = y + at * LINE_HEIGHT;
    return {
      start,
      end: start + line.length,
      page: 1,
      box: [x, top, x + line.length * 0.009, top + LINE_HEIGHT - 0.002] as [number, number, number, number],
    };
  });
  const width = Math.max(...lines.map((line) => line.length * 0.009));
  return {
    type: 'paragraph',
    text: lines.join(' '),
    page: 1,
    bbox: [x, y, x + width, y + lines.length * LINE_HEIGHT],
    lines: placed,
  };
}

const tree = (blocks: BlockDraft[], language: string) =>
  finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, language);

function read(blocks: BlockDraft[], names: readonly string[], language = 'en'): unknown {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return extractTree(tree(blocks, language), readSchema({ type: 'object', properties })).data;
}

const textsOf = (draft: BlockDraft): string[] => segmentDocument(tree([draft], 'en')).segments.map(({ text }) => text);

test('the lines of an address are separate, and those of running text are not', () => {
  expect(textsOf(block(0.1, 0.1, 'Gärtnerei Holm', 'Feldweg 8', '24103 Kiel'))).toEqual([
    'Gärtnerei Holm',
    'Feldweg 8',
    '24103 Kiel',
  ]);
  const prose = [
    'The tenant pays the rent on the first day of',
    'each month. The deposit is two months of rent and',
    'is due.',
  ];
  expect(textsOf(block(0.1, 0.1, ...prose))).toEqual([prose.join(' ')]);
});

test('a name ends with its line, and an address includes the town', () => {
  const head = block(0.3, 0.05, 'Frischmarkt Lehmann', 'Am Ring 6', '62790 Celle', 'USt-IdNr. DE652272854');
  expect(read([head], ['company', 'address'], 'de')).toEqual({
    company: 'Frischmarkt Lehmann',
    address: 'Am Ring 6 62790 Celle',
  });
  const slip = block(
    0.3,
    0.05,
    'Welcome to',
    'Marlow Hardware & Garden',
    'Unit 5, Priory Retail Park',
    'Exeter EX2 7HU',
  );
  expect(read([slip], ['company', 'address'])).toEqual({
    company: 'Marlow Hardware & Garden',
    address: 'Unit 5, Priory Retail Park Exeter EX2 7HU',
  });
});

test('an address continues after a comma and after numbers of registration', () => {
  const head = block(
    0.3,
    0.05,
    'HARVEST TRADING SDN BHD',
    '(412907-K)',
    '27, Jalan Meranti 3/9,',
    'Taman Meranti,',
    '43300 Seri Kembangan',
  );
  expect(read([head], ['address'])).toEqual({ address: '27, Jalan Meranti 3/9, Taman Meranti, 43300 Seri Kembangan' });
});

test('columns with the heads "From" and "To" name the supplier and the customer', () => {
  const from = block(0.1, 0.1, 'From', 'Bramble Office Supplies', '880 Market Street', 'Denver, CO 80202');
  const to = block(0.5, 0.1, 'To', 'Hollow Oak Joinery', '52 Church Lane', 'Norwich NR2 1AB');
  expect(read([from, to], ['supplier_name', 'customer_name'])).toEqual({
    supplier_name: 'Bramble Office Supplies',
    customer_name: 'Hollow Oak Joinery',
  });
});

test('a label beside "Bill to" is not the customer', () => {
  const row = (...texts: string[]) => texts.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: false }));
  const table: BlockDraft = {
    type: 'table',
    page: 1,
    bbox: [0.1, 0.2, 0.8, 0.3],
    rows: [row('Bill to', 'Invoice number: 2013355'), row('Hollow Oak Joinery', 'Invoice date: 3 May 2025')],
  };
  expect(read([table], ['customer_name'])).toEqual({ customer_name: 'Hollow Oak Joinery' });
});

test('the customer is on the line after a title', () => {
  const to = block(0.1, 0.1, 'Rechnung an', 'Herrn', 'Max Mustermann', 'Feldweg 8', '24103 Kiel');
  expect(read([to], ['customer_name'], 'de')).toEqual({ customer_name: 'Max Mustermann' });
});

test('the date after the number in a title is the date of the document', () => {
  const title: BlockDraft = {
    type: 'heading',
    level: 1,
    text: 'Rechnungskorrektur Nr. RK4410 vom 12.03.2021',
    page: 1,
  };
  const delivered: BlockDraft = { type: 'paragraph', text: 'Lieferung am 02.02.2021', page: 1 };
  expect(read([delivered, title], ['invoice_number', 'invoice_date'], 'de')).toEqual({
    invoice_number: 'RK4410',
    invoice_date: '12.03.2021',
  });
});

/** Returns a table with one row of cells, each with its printed lines, as the parser joins them. */
function cells(y: number, ...texts: string[][]): BlockDraft {
  const row = texts.map((lines, at) => {
    const { text = '', bbox, lines: placed = [] } = block(0.1 + at * 0.4, y, ...lines);
    return {
      text,
      rowSpan: 1,
      colSpan: 1,
      header: false,
      page: 1,
      box: bbox!,
      ...(lines.length > 1 ? { lines: placed } : {}),
    };
  });
  return { type: 'table', page: 1, bbox: [0.1, y, 0.9, y + 0.1], rows: [row] };
}

test('names in the cells of a table end with their lines', () => {
  const supplier = ['Rechnungsersteller', 'Holm GmbH', 'Feldweg 8', '24103 Kiel'];
  const customer = ['Rechnungsempfänger', 'Kunden AG Mitte', 'Hans Muster', 'Kundenstraße 15', '69876 Frankfurt'];
  expect(read([cells(0.1, supplier, customer)], ['supplier_name', 'customer_name'], 'de')).toEqual({
    supplier_name: 'Holm GmbH',
    customer_name: 'Kunden AG Mitte',
  });
});

test('a name in a cell is behind labelled lines and titles, and holds a legal form on the next line', () => {
  const person = ['Rechnungsempfänger', 'Kunden-Nr.: 4711', 'Herrn', 'Max Mustermann', 'Feldweg 8', '24103 Kiel'];
  expect(read([cells(0.1, person)], ['customer_name'], 'de')).toEqual({ customer_name: 'Max Mustermann' });
  const company = ['Rechnungsempfänger', 'Holm Gartenbau Nord', 'GmbH', 'Feldweg 8', '24103 Kiel'];
  expect(read([cells(0.1, company)], ['customer_name'], 'de')).toEqual({ customer_name: 'Holm Gartenbau Nord GmbH' });
});

test('the lines of a cell are known by line breaks too', () => {
  const text = 'Bill to\nHollow Oak Joinery\nAlex Finch\n52 Church Lane\nNorwich NR2 1AB';
  const table: BlockDraft = { type: 'table', rows: [[{ text, rowSpan: 1, colSpan: 1, header: false }]] };
  expect(read([table], ['customer_name'])).toEqual({ customer_name: 'Hollow Oak Joinery' });
});

test('the letterhead that the foot repeats is the supplier, and the company with an address the customer', () => {
  const head: BlockDraft = {
    type: 'heading',
    level: 1,
    text: 'Société Hôtelière du Lac',
    page: 1,
    bbox: [0.1, 0.05, 0.4, 0.07],
  };
  const own = block(0.1, 0.08, '2, rue de la Paix', '75000 Paris');
  const customer: BlockDraft = {
    type: 'heading',
    level: 2,
    text: 'Merrow SARL',
    page: 1,
    bbox: [0.6, 0.2, 0.8, 0.212],
  };
  const address = block(0.6, 0.215, '27, rue de Bassano', '75008 Paris');
  const foot = block(
    0.1,
    0.95,
    'Société Hôtelière du Lac 2, rue de la Paix – 75000 Paris – Tel: +33 1 01 12 34 56 SIRET 12345682400016 TVA FR40123456824',
  );
  expect(read([head, own, customer, address, foot], ['supplier_name', 'customer_name'], 'fr')).toEqual({
    supplier_name: 'Société Hôtelière du Lac',
    customer_name: 'Merrow SARL',
  });
});

const form = (...rows: string[][]): BlockDraft => ({
  type: 'table',
  page: 1,
  rows: rows.map((row) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: false }))),
});
const BUYER = [
  ['Number:', '75969813'],
  ['Name:', 'Hollow Oak Joinery'],
  ['Address:', '52 Church Lane, Norwich NR2 1AB'],
];

test('names below the heading of their party, in rows of one table', () => {
  const blocks = [
    form(
      ['Currency:', 'EUR'],
      ['Seller', ''],
      ['Number:', '12345676'],
      ['Name:', 'Bramble Office Supplies'],
      ['Buyer', ''],
      ['', 'Mr'],
      ...BUYER,
      ['Warehouse', ''],
      ['Name:', 'Depot North'],
    ),
  ];
  expect(read(blocks, ['supplier_name', 'customer_name'])).toEqual({
    supplier_name: 'Bramble Office Supplies',
    customer_name: 'Hollow Oak Joinery',
  });
});

test('names below the heading of their party, above a table and in lines', () => {
  const heading: BlockDraft = { type: 'heading', level: 2, text: 'Buyer', page: 1 };
  const lines = block(0.1, 0.1, 'Seller', 'Number: 12345676', 'Name: Bramble Office Supplies', 'Denver, CO 80202');
  expect(read([lines, heading, form(...BUYER)], ['supplier_name', 'customer_name'])).toEqual({
    supplier_name: 'Bramble Office Supplies',
    customer_name: 'Hollow Oak Joinery',
  });
});

test('a code in brackets behind a title is no number of the document', () => {
  const blocks = [form(['Handelsrechnung (380)', 'Nr. 471102 vom 05.03.2018'], ['Währung:', 'EUR'])];
  expect(read(blocks, ['invoice_number'], 'de')).toEqual({ invoice_number: '471102' });
});

/** Returns a table whose cells have one line each, as the window of a letter beside numbers with labels. */
function windowBeside(...rows: string[][]): BlockDraft {
  return { type: 'table', page: 1, rows: rows.map((cells) => cells.map((text) => ({ text }))) } as BlockDraft;
}

test('an addressee whose lines are rows beside numbers with labels is the customer, with the address', () => {
  const properties = {
    kunde: { type: 'object', properties: { name: { type: 'string' }, strasse: { type: 'string' } } },
    kundennummer: { type: 'string' },
  };
  const blocks: BlockDraft[] = [
    block(0.5, 0.05, 'Dachdeckerei Falk GmbH'),
    block(0.1, 0.12, 'Dachdeckerei Falk GmbH · Amselweg 2 · 26871 Papenburg'),
    windowBeside(
      ['Pension Deichblick', 'Rechnungsnr.:', 'R-2031'],
      ['Hafenstr. 12', 'Kundennr.:', '44871'],
      ['26506 Norden', '', ''],
    ),
  ];
  expect(extractTree(tree(blocks, 'de'), readSchema({ type: 'object', properties })).data).toEqual({
    kunde: { name: 'Pension Deichblick', strasse: 'Hafenstr. 12' },
    kundennummer: '44871',
  });
});
