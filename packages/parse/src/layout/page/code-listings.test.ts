import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { gridOf, outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const BODY = [
  'The dues are told by a program that the master of the harbour wrote,',
  'which asks for the length of the boat and for the number of nights.',
  'It is shown below as it was printed in the ledger of the council, and',
  'has been in use since then, with a change or two in every other year.',
];

it('joins the lines of a code listing across blank lines and style changes', async () => {
  const page = new TestPage()
    .lines(60, 100, BODY)
    .text(60, 170, 'def dues(boat):', { font: 'mono' })
    .text(84, 182, 'rate = 12', { font: 'mono' })
    .text(84, 206, 'if boat.member:', { font: 'mono' })
    .text(108, 218, 'rate = 0', { font: 'mono' });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toEqual([
    `paragraph: ${BODY.join(' ')}`,
    'code: def dues(boat):\n    rate = 12\n    if boat.member:\n        rate = 0',
  ]);
});

it('separates single lines of code from the prose around them', async () => {
  const page = new TestPage()
    .lines(60, 100, BODY)
    .text(60, 160, 'Deprecated since last winter:')
    .text(72, 172, 'dues --boat long --nights 2', { font: 'mono' })
    .text(60, 184, 'A boat of a member pays nothing, whatever its length may be in this')
    .text(60, 196, 'or any other harbour.');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toEqual([
    `paragraph: ${BODY.join(' ')}`,
    'paragraph: Deprecated since last winter:',
    'code: dues --boat long --nights 2',
    'paragraph: A boat of a member pays nothing, whatever its length may be in this or any other harbour.',
  ]);
});

it('keeps the paragraphs of a document set in monospace', async () => {
  const page = new TestPage()
    .text(60, 100, 'The boats came late.', { font: 'mono' })
    .text(60, 130, 'Nobody saw them come.', { font: 'mono' });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toEqual(['paragraph: The boats came late.', 'paragraph: Nobody saw them come.']);
});

it('does not classify table of contents entries as headings', async () => {
  const page = new TestPage()
    .text(60, 80, 'Contents', { font: 'bold', size: 16 })
    .text(60, 110, '1 Dues and catches', { font: 'bold' })
    .text(500, 110, '12', { font: 'bold' })
    .lines(60, 160, BODY);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks).filter((line) => line.startsWith('heading'))).toEqual(['heading1: Contents']);
});

it('reads paragraphs and tables of a report that is set in a monospace font', async () => {
  const text = [
    'The dues of the year were collected by the pilots, who',
    'counted the boats at noon and in the evening, as they',
    'did in other years.',
  ];
  const rows = [
    'Harbour      Boats    Dues',
    'North           12   1,544',
    'South            7     481',
    'East             3      95',
  ];
  const page = new TestPage().lines(60, 100, text, { font: 'mono' }).lines(60, 160, rows, { font: 'mono' });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toEqual([`paragraph: ${text.join(' ')}`, 'table:']);
  expect(gridOf(blocks[1])).toEqual([
    ['Harbour', 'Boats', 'Dues'],
    ['North', '12', '1,544'],
    ['South', '7', '481'],
    ['East', '3', '95'],
  ]);
});

it('indents listings by the width of a character of their font', async () => {
  const page = new TestPage()
    .lines(60, 100, BODY)
    .text(60, 170, 'void dues(boat, night)', { font: 'mono' })
    .text(108, 182, 'return boat.members', { font: 'mono' });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)[1]).toBe('code: void dues(boat, night)\n        return boat.members');
});

it('keeps aligned output of a command as a listing', async () => {
  const rows = [
    'Harbour      Boats    Dues',
    'North           12   1,544',
    'South            7     481',
    'East             3      95',
  ];
  const page = new TestPage().lines(60, 100, BODY);
  rows.forEach((row, index) => {
    for (const { 0: text, index: at } of row.matchAll(/\S+/g))
      page.text(60 + at * 6, 170 + index * 12, text, { font: 'mono' });
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toEqual([`paragraph: ${BODY.join(' ')}`, `code: ${rows.join('\n')}`]);
});

it.each([8, 10])(
  'takes aligned code of %i points within a frame as a listing, and within a grid as a table',
  async (size) => {
    const rows = [
      ['BIN', '= /srv/harbour/bin'],
      ['ICONS', '= /srv/harbour/icons'],
      ['DATA', '= /srv/harbour/data'],
    ];
    const drawn = (ys: readonly number[], xs: readonly number[]): TestPage => {
      const page = new TestPage().lines(60, 100, BODY).grid(xs, ys);
      rows.forEach((cells, row) =>
        cells.forEach((cell, column) => page.text(66 + 84 * column, 180 + 13 * row, cell, { font: 'mono', size })),
      );
      return page;
    };
    const kinds = async (page: TestPage): Promise<string[]> =>
      (await parsePdf(makePdf([page]))).blocks.map(({ type }) => type);
    expect(await kinds(drawn([168, 212], [60, 500]))).toEqual(['paragraph', 'code']);
    expect(await kinds(drawn([168, 184, 197, 212], [60, 140, 500]))).toEqual(['paragraph', 'table']);
  },
);

it.each([8, 9, 10])('begins a listing of %i points below a short line of text', async (size) => {
  const page = new TestPage()
    .lines(60, 100, BODY)
    .text(60, 160, 'then the two commands are equal')
    .text(72, 172, 'dues --boat long', { font: 'mono', size })
    .text(72, 184, 'dues --boat 12 --nights 1', { font: 'mono', size });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toEqual([
    `paragraph: ${BODY.join(' ')}`,
    'paragraph: then the two commands are equal',
    'code: dues --boat long\ndues --boat 12 --nights 1',
  ]);
});
