import { describe, expect, test } from 'vitest';
import type { BlockDraft, BoundingBox } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import type { Extraction } from '../extraction.ts';
import { readSchema } from '../schema/read-schema.ts';
import { extractTree } from './extract-tree.ts';

const tree = (blocks: BlockDraft[], language = 'en') =>
  finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, language);
const paragraph = (text: string, bbox?: BoundingBox): BlockDraft => ({
  type: 'paragraph',
  text,
  page: 1,
  ...(bbox ? { bbox } : {}),
});
const table = (...rows: string[][]): BlockDraft => ({
  type: 'table',
  page: 1,
  bbox: [0.1, 0.4, 0.9, 0.6],
  rows: rows.map((row, at) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: at === 0 }))),
});
const run = (blocks: BlockDraft[], schema: unknown, language?: string): Extraction =>
  extractTree(tree(blocks, language), readSchema(schema));
const object = (properties: object, required: string[] = []): object => ({ type: 'object', properties, required });
const text = { type: 'string' };
const number = { type: 'number' };

describe('an invoice', () => {
  const blocks = [
    paragraph('Northwind Traders Ltd.', [0.1, 0.05, 0.4, 0.07]),
    paragraph('12 Harbour Road, Bristol BS1 4DJ', [0.1, 0.075, 0.5, 0.095]),
    paragraph('Invoice Number: NW-2024-0117 Invoice Date: 14 March 2024 Due Date: 13/04/2024', [0.1, 0.2, 0.9, 0.22]),
    table(
      ['Description', 'Qty', 'Unit Price', 'Amount'],
      ['Oak table', '2', '£450.00', '£900.00'],
      ['Delivery', '1', '£50.00', '£50.00'],
      ['Total', '', '', '£950.00'],
    ),
    table(['Subtotal', '£950.00'], ['VAT 20%', '£190.00'], ['Total due', '£1,140.00']),
  ];

  test('gives each field the value of its label, with position and quote', () => {
    const { data, evidence } = run(
      blocks,
      object({
        invoiceNumber: text,
        issueDate: { type: 'string', format: 'date' },
        due_date: { type: 'string', format: 'date' },
        vendor: object({ name: text }),
        subtotal: number,
        tax: number,
        total: number,
        currency: text,
        iban: text,
        lines: {
          type: 'array',
          items: object({ description: text, quantity: { type: 'integer' }, unit_price: number, amount: number }),
        },
      }),
    );
    expect(data).toEqual({
      invoiceNumber: 'NW-2024-0117',
      issueDate: '2024-03-14',
      due_date: '2024-04-13',
      vendor: { name: 'Northwind Traders Ltd.' },
      subtotal: 950,
      tax: 190,
      total: 1140,
      currency: 'GBP',
      lines: [
        { description: 'Oak table', quantity: 2, unit_price: 450, amount: 900 },
        { description: 'Delivery', quantity: 1, unit_price: 50, amount: 50 },
      ],
    });
    expect(evidence['/issueDate']).toEqual({
      page: 1,
      bbox: [0.1, 0.2, 0.9, 0.22],
      boxes: [{ page: 1, bbox: [0.1, 0.2, 0.9, 0.22] }],
      quote: '14 March 2024',
      confidence: 0.99,
    });
    expect(evidence['/lines/1/amount']?.quote).toBe('£50.00');
    expect(Object.keys(evidence)).not.toContain('/iban');
  });

  test('a missing value is null where null is allowed, empty where it may be empty, and omitted where it is optional', () => {
    const { data, evidence } = run(
      blocks,
      object(
        { iban: { type: ['string', 'null'] }, cashier: text, mandate: text, tags: { type: 'array', items: text } },
        ['iban', 'cashier', 'tags'],
      ),
    );
    expect([data, evidence]).toEqual([{ iban: null, cashier: '', tags: [] }, {}]);
  });

  test('a required number without a value is an error that names it', () => {
    const schema = object({ meters: object({ document: { type: 'integer' } }, ['document']) }, ['meters']);
    expect(() => run(blocks, schema)).toThrow(
      expect.objectContaining({
        name: 'ContentError',
        type: 'no_value',
        message: expect.stringContaining('/meters/document'),
      }),
    );
  });

  test('a required net amount may be the total, with low confidence', () => {
    const { data, evidence } = run([table(['Total', '$12.50'])], object({ net_amount: number }, ['net_amount']));
    expect(data).toEqual({ net_amount: 12.5 });
    expect(evidence['/net_amount']?.confidence).toBeLessThan(0.4);
  });
});

test('a German invoice with compounds, decimal commas and month names', () => {
  const { data } = run(
    [
      table(['Rechnungsnr.', '30064443'], ['Rechnungsdatum', '7. Mai 2014'], ['Kundennr.', '47774']),
      table(['Zwischensumme', '1.234,56 €'], ['MwSt. 19%', '234,57 €'], ['Gesamtbetrag', '1.469,13 €']),
      paragraph('USt-IdNr.: DE232446240 IBAN: DE89 3704 0044 0532 0130 00'),
    ],
    object({
      invoice_number: text,
      date: { type: 'string', format: 'date' },
      customer_number: text,
      net: number,
      total_amount: number,
      tax_amount: number,
      vat_id: text,
      iban: text,
      currency: { enum: ['EUR', 'USD'] },
    }),
    'de',
  );
  expect(data).toEqual({
    invoice_number: '30064443',
    date: '2014-05-07',
    customer_number: '47774',
    net: 1234.56,
    total_amount: 1469.13,
    tax_amount: 234.57,
    vat_id: 'DE232446240',
    iban: 'DE89 3704 0044 0532 0130 00',
    currency: 'EUR',
  });
});

test('the total of a receipt is the amount paid less the change', () => {
  const { data } = run(
    [
      paragraph('GOLDEN WOK RESTAURANT', [0.3, 0.05, 0.7, 0.08]),
      paragraph('(1234567-X) NO 5, JALAN BUKIT 3', [0.3, 0.09, 0.7, 0.11]),
      paragraph('47400 PETALING JAYA', [0.3, 0.115, 0.7, 0.135]),
      paragraph('Date 06/03/2018 Time 12:31'),
      table(
        ['Total Qty', '3'],
        ['Total Sales (Excluding GST)', '50.94'],
        ['clusive of GST) :', '54.00'],
        ['CASH', '60.00'],
        ['Change', '6.00'],
      ),
    ],
    object({
      company: text,
      address: text,
      date: { ...text, description: 'as printed' },
      total: { ...text, description: 'digits as printed' },
    }),
  );
  expect(data).toEqual({
    company: 'GOLDEN WOK RESTAURANT',
    address: 'NO 5, JALAN BUKIT 3 47400 PETALING JAYA',
    date: '06/03/2018',
    total: '54.00',
  });
});

test('a form with fields, check boxes, enumerations and labels above their values', () => {
  const { data } = run(
    [
      { type: 'formField', text: 'First name: Ada', page: 1 },
      { type: 'formField', text: 'Newsletter: ☑', page: 1 },
      { type: 'formField', text: 'Terms accepted: ☐', page: 1 },
      paragraph('Date of birth', [0.1, 0.3, 0.3, 0.31]),
      paragraph('12/10/1815', [0.1, 0.315, 0.3, 0.33]),
      paragraph('Marital Status: married'),
      paragraph('Size (XL)'),
    ],
    object({
      firstName: text,
      newsletter: { type: 'boolean' },
      termsAccepted: { type: 'boolean' },
      dateOfBirth: { ...text, description: 'DD.MM.YYYY' },
      maritalStatus: { enum: ['SINGLE', 'MARRIED'] },
      spouse: { type: ['string', 'null'] },
    }),
  );
  expect(data).toEqual({
    firstName: 'Ada',
    newsletter: true,
    termsAccepted: false,
    dateOfBirth: '12.10.1815',
    maritalStatus: 'MARRIED',
    spouse: null,
  });
});

test('neither column names nor the values under them are the issuer', () => {
  const { data } = run(
    [
      table(['Sales Team', 'Dispatch Route', 'Order Channel'], ['North', 'Coastal', 'Telephone']),
      paragraph('Kestrel Outdoor'),
      paragraph('14 Mill Lane, Leeds LS1 4AP'),
    ],
    object({ vendorName: text }),
  );
  expect(data).toEqual({ vendorName: 'Kestrel Outdoor' });
});

test('rows aligned side by side outside tables are rows', () => {
  const line = (y: number, ...texts: string[]): BlockDraft[] =>
    texts.map((text, at) => paragraph(text, [0.1 + 0.2 * at, y, 0.25 + 0.2 * at, y + 0.015]));
  const { data } = run(
    [
      ...line(0.3, 'Item', 'Qty', 'Price', 'Amount'),
      ...line(0.33, 'Bolts', '3', '$2.00', '$6.00'),
      ...line(0.36, 'Nuts', '4', '$0.50', '$2.00'),
    ],
    object({ items: { type: 'array', items: object({ item: text, qty: number, amount: number }) } }),
  );
  expect(data).toEqual({
    items: [
      { item: 'Bolts', qty: 3, amount: 6 },
      { item: 'Nuts', qty: 4, amount: 2 },
    ],
  });
});

test('the customer and the issuer have separate addresses', () => {
  const party = object({ name: text, address: object({ street: text, city: text, zip: text }) });
  const { data } = run(
    [
      paragraph('Contoso GmbH, Lindenweg 4, 10115 Berlin', [0.1, 0.05, 0.6, 0.07]),
      paragraph('Bill to:', [0.1, 0.2, 0.3, 0.215]),
      paragraph('Fabrikam AG', [0.1, 0.22, 0.3, 0.235]),
      paragraph('Hafenstr. 12, 20457 Hamburg', [0.1, 0.24, 0.4, 0.255]),
    ],
    object({ seller: party, customer: party }),
  );
  expect(data).toEqual({
    seller: { name: 'Contoso GmbH', address: { street: 'Lindenweg 4', city: 'Berlin', zip: '10115' } },
    customer: { name: 'Fabrikam AG', address: { street: 'Hafenstr. 12', city: 'Hamburg', zip: '20457' } },
  });
});

describe('an invoice whose lines have neither colons nor gaps', () => {
  const fields = {
    vendorName: text,
    vendorVatId: text,
    customerName: text,
    iban: text,
    netAmount: number,
    taxAmount: number,
    totalAmount: number,
  };

  test('has a customer after the label, an id that is no name, and a tax after its rate', () => {
    const { data } = run(
      [
        paragraph('Holm & Sons Ltd', [0.1, 0.05, 0.4, 0.08]),
        paragraph('Bill To Merrow Foods Ltd 88 Station Road York YO1 6HU', [0.1, 0.14, 0.3, 0.19]),
        paragraph('Subtotal £22,432.50 VAT 20% £4,486.50 Total Due £26,919.00', [0.6, 0.5, 0.9, 0.54]),
        paragraph(
          'Holm & Sons Ltd · 14 Mill Lane, Leeds LS1 4AP · VAT No. GB 123 4567 89 · IBAN: GB29 NWBK 6016 1331 9268 19',
          [0.1, 0.9, 0.9, 0.92],
        ),
      ],
      object(fields),
    );
    expect(data).toEqual({
      vendorName: 'Holm & Sons Ltd',
      vendorVatId: 'GB 123 4567 89',
      customerName: 'Merrow Foods Ltd',
      iban: 'GB29 NWBK 6016 1331 9268 19',
      netAmount: 22432.5,
      taxAmount: 4486.5,
      totalAmount: 26919,
    });
  });

  test('has the recipient of the letter as customer when there is no label', () => {
    const { data } = run(
      [
        paragraph('Kowalski Budownictwo Sp. z o.o. – al. Jerozolimskie 44, 00-024 Warszawa', [0.1, 0.06, 0.5, 0.075]),
        paragraph('Sklep Anna Nowak ul. Długa 12 31-147 Kraków', [0.1, 0.09, 0.25, 0.13]),
        paragraph('Suma netto 18 318,11 zł VAT 23% 4 213,17 zł Do zapłaty 22 531,28 zł', [0.7, 0.4, 0.9, 0.44]),
        paragraph(
          'Kowalski Budownictwo Sp. z o.o. NIP: PL5252412345 IBAN: PL61 1090 1014 0000 0712 1981 2874',
          [0.1, 0.9, 0.4, 0.94],
        ),
      ],
      object(fields),
      'pl',
    );
    expect(data).toEqual({
      vendorName: 'Kowalski Budownictwo Sp. z o.o.',
      vendorVatId: 'PL5252412345',
      customerName: 'Sklep Anna Nowak',
      iban: 'PL61 1090 1014 0000 0712 1981 2874',
      netAmount: 18318.11,
      taxAmount: 4213.17,
      totalAmount: 22531.28,
    });
  });

  test('has the recipient on separate lines as customer', () => {
    const lines = [
      'Brandt & Co. KG – Am Hafen 3, 20457 Hamburg',
      'Bäckerei Sonnenschein',
      'Lindenstraße 12',
      '50674 Köln',
    ];
    const { data } = run(
      [
        ...lines.map((line) => paragraph(line)),
        ...['Rechnung', 'Rechnungsdatum', '24. Mai 2025', 'Zahlbar bis', '7. Juni 2025'].map((line) => paragraph(line)),
        paragraph('USt-IdNr.: DE 811 234 567'),
      ],
      object(fields),
      'de',
    );
    expect(data).toEqual({
      vendorName: 'Brandt & Co. KG',
      vendorVatId: 'DE 811 234 567',
      customerName: 'Bäckerei Sonnenschein',
    });
  });

  test('is read in Japanese', () => {
    const { data } = run(
      [
        paragraph('請求書'),
        paragraph('田中商事株式会社 御中'),
        paragraph('請求書番号：2024-0117 請求日：2024年3月14日 お支払期限：2024年4月30日'),
        paragraph('有限会社さくら工房 登録番号：T1234567890123'),
        table(
          ['品目', '数量', '単価', '金額'],
          ['印刷用紙 A4', '21', '¥1,200', '¥25,200'],
          ['交通費', '1', '¥800', '¥800'],
        ),
        table(['小計', '26,000円'], ['消費税（10%）', '2,600円'], ['ご請求金額', '28,600円']),
      ],
      object({
        ...fields,
        invoiceNumber: text,
        dueDate: { type: 'string', format: 'date' },
        currency: text,
        items: { type: 'array', items: object({ description: text, quantity: number, amount: number }) },
      }),
      'ja',
    );
    expect(data).toEqual({
      vendorName: '有限会社さくら工房',
      vendorVatId: 'T1234567890123',
      customerName: '田中商事株式会社',
      netAmount: 26000,
      taxAmount: 2600,
      totalAmount: 28600,
      invoiceNumber: '2024-0117',
      dueDate: '2024-04-30',
      currency: 'JPY',
      items: [
        { description: '印刷用紙 A4', quantity: 21, amount: 25200 },
        { description: '交通費', quantity: 1, amount: 800 },
      ],
    });
  });
});

test('references, alternatives and merged schemas are filled, and recursion ends', () => {
  const { data } = run([paragraph('Invoice Number: A-77 Total: $5.00')], {
    $defs: {
      doc: object({
        number: { title: 'Invoice number', anyOf: [{ type: 'null' }, { type: 'string' }] },
        parent: { $ref: '#/$defs/doc' },
      }),
    },
    allOf: [{ $ref: '#/$defs/doc' }, object({ total: { oneOf: [{ type: 'number' }, { type: 'object' }] } })],
  });
  expect(data).toEqual({ number: 'A-77', total: 5 });
});

test('an empty document gives an empty result', () => {
  expect(run([], object({ a: text }))).toEqual({ data: {}, evidence: {} });
});

describe('parties and sums of invoices', () => {
  const names = object({ supplier_name: text, customer_name: text });

  test('numbers with labels of their own between the label of a party and its name are no names', () => {
    const blocks = [
      paragraph('Lieferant:', [0.1, 0.1, 0.2, 0.115]),
      paragraph('Nummer', [0.1, 0.12, 0.16, 0.135]),
      paragraph(': 549910', [0.2, 0.12, 0.28, 0.135]),
      paragraph('Steuernummer: 12/345/678', [0.1, 0.14, 0.3, 0.155]),
      paragraph('Gerberei Alsen', [0.1, 0.16, 0.24, 0.175]),
      paragraph('Am Deich 4', [0.1, 0.18, 0.2, 0.195]),
      paragraph('Rechnungsempfänger:', [0.1, 0.24, 0.3, 0.255]),
      paragraph('Kundennummer: 7781', [0.1, 0.26, 0.3, 0.275]),
      paragraph('Schuhhaus Peters', [0.1, 0.28, 0.26, 0.295]),
    ];
    expect(run(blocks, names, 'de').data).toEqual({
      supplier_name: 'Gerberei Alsen',
      customer_name: 'Schuhhaus Peters',
    });
  });

  test('the label of a party on the line of its name is no part of the name', () => {
    const blocks = [
      paragraph('Rechnungssteller Gerberei Alsen GmbH Am Deich 4 25746 Heide', [0.1, 0.1, 0.6, 0.12]),
      paragraph('Rechnungsempfänger Schuhhaus Peters AG Markt 1 24103 Kiel', [0.1, 0.2, 0.6, 0.22]),
    ];
    expect(run(blocks, names, 'de').data).toEqual({
      supplier_name: 'Gerberei Alsen GmbH',
      customer_name: 'Schuhhaus Peters AG',
    });
  });

  const sums = object({ subtotal: number, tax: number, total: number });

  test('sums are named by what they include or leave out', () => {
    const german = table(
      ['Rechnungssumme ohne USt.', '500,00'],
      ['USt. 19 %', '95,00'],
      ['Rechnungssumme Brutto (inkl. USt.)', '595,00'],
    );
    expect(run([german], sums, 'de').data).toEqual({ subtotal: 500, tax: 95, total: 595 });
    const french = table(['Total hors TVA', '500,00'], ['TVA 20 %', '100,00'], ['Total TVA comprise', '600,00']);
    expect(run([french], sums, 'fr').data).toEqual({ subtotal: 500, tax: 100, total: 600 });
  });

  test('arithmetic decides whether a net total is the amount to pay', () => {
    const withTax = table(['Net total', '£98.01'], ['VAT', '£19.60'], ['Total (incl. VAT)', '£117.61']);
    expect(run([withTax], sums).data).toEqual({ subtotal: 98.01, tax: 19.6, total: 117.61 });
    const toPay = table(['Subtotal', '20.00'], ['Tax', '1.20'], ['Net total', '21.20']);
    expect(run([toPay], sums).data).toEqual({ subtotal: 20, tax: 1.2, total: 21.2 });
  });

  test('a compound of a label names the same', () => {
    const blocks = [paragraph('Mietrechnung Nr. M-2024-118 vom 02.05.2024')];
    expect(run(blocks, object({ invoiceNumber: text }), 'de').data).toEqual({ invoiceNumber: 'M-2024-118' });
  });

  test('a law has the name of a place or a legal order', () => {
    const blocks = [paragraph('Governing law: or')];
    expect(run(blocks, object({ governing_law: text })).data).toEqual({});
  });
});
