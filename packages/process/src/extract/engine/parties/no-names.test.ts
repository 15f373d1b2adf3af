import { describe, expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';

const LINE_HEIGHT = 0.015;

/** Returns a paragraph of printed lines, as the parser joins them. */
function block(x: number, y: number, ...lines: string[]): BlockDraft {
  let next = 0;
  const placed = lines.map((line, at) => {
    const start = next;
    next += line.length + 1;
    const top = y + at * LINE_HEIGHT;
    const box: [number, number, number, number] = [x, top, x + line.length * 0.009, top + LINE_HEIGHT - 0.002];
    return { start, end: start + line.length, page: 1, box };
  });
  const width = Math.max(...lines.map((line) => line.length * 0.009));
  const bbox: [number, number, number, number] = [x, y, x + width, y + lines.length * LINE_HEIGHT];
  return { type: 'paragraph', text: lines.join(' '), page: 1, bbox, lines: placed };
}

const table = (...rows: string[][]): BlockDraft => ({
  type: 'table',
  page: 1,
  bbox: [0.1, 0.3, 0.9, 0.5],
  rows: rows.map((row) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: false }))),
});

function parties(blocks: BlockDraft[], language = 'en'): unknown {
  const properties = { supplier_name: { type: 'string' }, customer_name: { type: 'string' } };
  const tree = finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, language);
  return extractTree(tree, readSchema({ type: 'object', properties })).data;
}

describe('labels and titles of a form are no names', () => {
  test('a name is found behind a number that has its own label', () => {
    const buyer = block(
      0.1,
      0.3,
      'Buyer:',
      'GLN 4012345000009',
      'Hollow Oak Joinery',
      '52 Church Lane',
      'Norwich NR2 1AB',
    );
    const seller = block(0.1, 0.1, 'Seller:', 'DUNS 432156789', 'Bramble Office Supplies', '880 Market Street');
    expect(parties([seller, buyer])).toEqual({
      supplier_name: 'Bramble Office Supplies',
      customer_name: 'Hollow Oak Joinery',
    });
  });

  test('a label in the first row of a block is passed over, with its value in the next cell', () => {
    const cells = table(['Telefon', ': 0431 9987'], ['Käufer:', ''], ['Nummer', ': 009420']);
    const name = block(0.1, 0.51, 'Holzbau Petersen GmbH', 'Feldweg 8', '24103 Kiel');
    expect(parties([cells, name], 'de')).toMatchObject({ customer_name: 'Holzbau Petersen GmbH' });
  });

  test.each([
    ['fr', 'Avoir AV-2031-8', 'Menuiserie du Lac', '8 rue du Port', '74000 Annecy'],
    ['de', 'Kostenrechnung 2031-8', 'Tischlerei Holm', 'Feldweg 8', '24103 Kiel'],
    ['es', 'Presupuesto 2031-8', 'Muebles Rivera', 'Calle Mayor 8', '28013 Madrid'],
  ])('the title of a document is none (%s)', (language, title, ...address) => {
    expect(JSON.stringify(parties([block(0.1, 0.1, title), block(0.1, 0.2, ...address)], language))).not.toContain(
      title.split(' ')[0],
    );
  });

  test('the words for a number or a date of the customer do not name the customer', () => {
    const rows = table(['Customer VAT number', 'GB 999 9999 73'], ['Incoterms', 'Delivered duty unpaid']);
    expect(parties([block(0.1, 0.1, 'Bramble Office Supplies Ltd'), rows])).toEqual({
      supplier_name: 'Bramble Office Supplies Ltd',
    });
  });

  test('a street and a period are none', () => {
    const letter = [
      block(0.1, 0.05, 'Ostsee Brandkasse'),
      block(0.1, 0.1, 'Herrn'),
      block(0.1, 0.12, 'Jonas Petersen', 'Gartenstr. 11'),
      block(0.1, 0.16, '24103 Kiel'),
      block(0.1, 0.19, 'Büro Holm'),
      block(0.1, 0.21, 'Gartenstr. 12'),
      block(0.1, 0.23, '24105 Kiel'),
      block(0.1, 0.28, 'Kunde'),
      block(0.1, 0.296, 'Abrechnung KW 36'),
    ];
    expect(parties(letter, 'de')).toEqual({ supplier_name: 'Ostsee Brandkasse', customer_name: 'Jonas Petersen' });
  });
});

describe('names that continue', () => {
  test('with the last word of the line after the legal form', () => {
    const seller = block(0.1, 0.1, 'Verkäufer:', 'Tischlerei Holm GmbH', 'Feldweg 8', '24103 Kiel');
    const buyer = block(0.1, 0.2, 'Käufer:', 'Möbelhaus AG Nord', 'Jonas Petersen', 'Kaistraße 4', '24105 Kiel');
    expect(parties([seller, buyer], 'de')).toEqual({
      supplier_name: 'Tischlerei Holm GmbH',
      customer_name: 'Möbelhaus AG Nord',
    });
  });

  test.each(['Holm Joinery Ltd Invoice', 'Holm Joinery Ltd Germany', 'Holm Joinery Ltd Phone'])(
    'not with a title, a country or a label: %s',
    (line) => {
      expect(parties([block(0.1, 0.1, line)])).toEqual({ supplier_name: 'Holm Joinery Ltd' });
    },
  );

  test('on the second line, in a letterhead and under a label', () => {
    const name = ['Ostsee Brandkasse', 'Versicherungsverein Kiel a.G.'];
    const whole = { supplier_name: name.join(' ') };
    expect(parties([block(0.1, 0.08, ...name), block(0.1, 0.14, 'Rechnung vom 3. Mai 2031')], 'de')).toEqual(whole);
    const labelled = [block(0.1, 0.5, 'Verkäufer:'), block(0.1, 0.52, ...name), block(0.1, 0.56, 'Feldweg 8')];
    expect(parties(labelled, 'de')).toEqual(whole);
  });

  test('not with the firm of a recipient, nor with a brand above its own firm', () => {
    const buyer = block(0.1, 0.3, 'Käufer:', 'Jonas Petersen', 'Holzbau Kiel GmbH', 'Feldweg 8', '24103 Kiel');
    expect(parties([block(0.1, 0.1, 'Brandt', 'Brandt Möbel GmbH'), buyer], 'de')).toEqual({
      supplier_name: 'Brandt Möbel GmbH',
      customer_name: 'Jonas Petersen',
    });
  });
});

test('a recipient is above the cell of a table with the address', () => {
  const cell = (text: string, x: number, y: number) => {
    const box: [number, number, number, number] = [x, y, x + 0.2, y + 0.012];
    return { text, rowSpan: 1, colSpan: 1, header: false, page: 1, box };
  };
  const address: BlockDraft = {
    type: 'table',
    page: 1,
    bbox: [0.1, 0.17, 0.9, 0.25],
    rows: [
      [cell('8 rue du Port 74000 Annecy', 0.1, 0.175), cell('Léa Morel 9 rue du Lac', 0.55, 0.175)],
      [cell('France', 0.1, 0.19), cell('74000 Annecy', 0.55, 0.19)],
    ],
  };
  const head = block(0.1, 0.04, 'Moulin Brun SARL');
  const delivery = block(0.1, 0.13, 'Adresse de livraison');
  expect(parties([head, delivery, block(0.55, 0.155, 'Ma belle boutique'), address], 'fr')).toEqual({
    supplier_name: 'Moulin Brun SARL',
    customer_name: 'Ma belle boutique',
  });
});
