/** Headings and other lines that are detected by the style of single lines. */
import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const PROSE = [
  'The programme is open to everybody who has finished school and wants to',
  'learn a trade. It takes two years, of which the second is spent at work.',
];

it('separates consecutive titles and joins a wrapped title', async () => {
  const page = new TestPage()
    .text(60, 80, 'Higher education', { font: 'bold' })
    .text(60, 98, 'Polytechnics', { font: 'bold' })
    .lines(60, 116, PROSE)
    .text(60, 160, 'Education for people who have work and want to change the trade', { font: 'bold' })
    .text(60, 172, 'that they once learnt', { font: 'bold' })
    .lines(60, 190, PROSE);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks).filter((line) => line.startsWith('heading'))).toEqual([
    'heading1: Higher education',
    'heading1: Polytechnics',
    'heading1: Education for people who have work and want to change the trade that they once learnt',
  ]);
});

it('keeps one copy of a large title repeated on every page', async () => {
  const page = (number: number): TestPage =>
    new TestPage().text(220, 60, 'Results Summary', { size: 18 }).lines(60, 120, PROSE).text(290, 800, String(number));
  const { blocks } = await parsePdf(makePdf([page(1), page(2), page(3)]));
  expect(outlineOf(blocks).filter((line) => !line.startsWith('paragraph'))).toEqual(['heading1: Results Summary']);
  expect(blocks[0]?.page).toBe(1);
});

it('continues a reference whose last line starts with a number', async () => {
  const page = new TestPage()
    .lines(60, 100, ['1. Anna Berg and Carl Dahl, On the unitary graph of a finite ring'])
    .lines(75, 112, ['and its neighbours, with a preface by the editors, Electronic Journal of Comb.'])
    .lines(75, 124, ['16 (2009), no. 1, 13 pages.'])
    .lines(60, 136, ['2. Edith Falk, On graphs, Annals 3 (2010), 7 pages.']);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(({ type }) => type)).toEqual(['listItem', 'listItem']);
});

it('uses the slide text as body style despite repeated small print', async () => {
  const points = ['Ships need shelter.', 'Dues pay for dredging.', 'Pilots know the ways.', 'Lamps burn all night.'];
  const slides = points.map((point, index) => {
    const page = new TestPage().text(60, 60, `Slide ${'ABCD'.charAt(index)}`, { size: 20 });
    page.text(60, 200, point, { size: 14 });
    return page.text(40, 820, `Ada Moor (University of the Sea)   Harbours of the North   ${index + 1}/4`, { size: 7 });
  });
  const { blocks } = await parsePdf(makePdf(slides));
  expect(outlineOf(blocks)).toEqual(
    points.flatMap((point, index) => [`heading1: Slide ${'ABCD'.charAt(index)}`, `paragraph: ${point}`]),
  );
});

it.each([
  '3.2 What is the difference between this harbour and the other harbours of the coast? Why should a ship come here, and not go on?',
  '2.14 The lamp of my boat does not burn. What should I do?',
  '1.1.3 Masts are old in this port. Where are the new ones, and who has paid for them in the years since the war was over?',
])('takes long numbered titles in larger bold type as headings: %s', async (title) => {
  const half = title.lastIndexOf(' ', 0.55 * title.length);
  const page = new TestPage()
    .lines(60, 80, [...PROSE, ...PROSE])
    .text(60, 150, title.slice(0, half), { font: 'bold', size: 12 })
    .text(60, 165, title.slice(half + 1), { font: 'bold', size: 12 })
    .lines(60, 190, [...PROSE, ...PROSE, ...PROSE]);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'heading').map(({ text }) => text)).toEqual([title]);
});

it.each<[number, string[]]>([
  [11.2, ['Restrictions on keels']],
  [11.7, ['Restrictions on keels']],
  [10, []],
])('takes a line of %f points in another font family as a heading: %j', async (size, expected) => {
  const page = new TestPage()
    .lines(60, 80, [...PROSE, ...PROSE])
    .text(60, 150, 'Restrictions on keels', { font: 'serif', size })
    .lines(60, 166, [...PROSE, ...PROSE]);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'heading').map(({ text }) => text)).toEqual(expected);
});

it.each<[string, 'mono' | 'regular', number]>([
  ['Matrix', 'mono', 0],
  ['Rules', 'regular', 1],
])('takes an italic line as a heading, but not the declaration of a function: %s', async (name, font, expected) => {
  const page = new TestPage()
    .lines(60, 80, [...PROSE, ...PROSE])
    .text(60, 150, name, { font })
    .text(font === 'mono' ? 102 : 90, 150, 'Solve a Row of Sums', { font: 'italic' })
    .lines(60, 162, [...PROSE, ...PROSE]);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'heading')).toHaveLength(expected);
});

it.each(['-', '–', '*'])('takes a bold line after %s as an item of a list', async (dash) => {
  const page = new TestPage()
    .lines(60, 80, [...PROSE, ...PROSE])
    .text(60, 150, `${dash.replace('–', '\x96')} Set the lamp of the boat`, { font: 'bold' })
    .lines(60, 180, [...PROSE, ...PROSE]);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'listItem', 'paragraph']);
});

it.each([9, 10, 12])('takes a line of %i points that begins with a bold term as running text', async (size) => {
  const page = new TestPage().lines(60, 80, [...PROSE, ...PROSE], { size });
  ['Attaching the long rope', 'Detaching the long rope'].forEach((term, index) => {
    const y = 150 + index * 80;
    page
      .text(60, y, term, { font: 'bold', size })
      .text(60 + 12.5 * size, y, 'is done by hand', { size })
      .text(72, y + 1.3 * size, 'and with care, because the ropes of the harbour are old and', { size })
      .text(72, y + 2.6 * size, 'have been in the sea for years.', { size });
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'heading')).toEqual([]);
  expect(blocks.map(({ text }) => text)).toContain(
    'Detaching the long rope is done by hand and with care, because the ropes of the harbour are old and have been in the sea for years.',
  );
});

it('keeps a bold title that ends with code as a heading', async () => {
  const page = new TestPage()
    .lines(60, 80, [...PROSE, ...PROSE])
    .text(60, 150, 'A harbour opened with', { font: 'bold', size: 12 })
    .text(196, 150, '--lamps', { font: 'mono', size: 12 })
    .lines(60, 180, [...PROSE, ...PROSE]);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'heading').map(({ text }) => text)).toEqual([
    'A harbour opened with --lamps',
  ]);
});

it.each([10, 11])('takes no copyright, labelled date or line of code of %f points as a heading', async (size) => {
  const page = new TestPage().text(60, 60, 'Harbours', { font: 'bold', size: 20 });
  ['Copyright 2019 by the harbour', '\xa9 Ada Moor', 'Published on: 31.01.2024'].forEach((text, index) => {
    page.text(60, 90 + index * 30, text, { font: 'bold', size: index === 2 ? 16 : size });
  });
  page.lines(60, 180, [...PROSE, ...PROSE]).text(60, 240, '.LAMP 1 NAMED north', { font: 'monoBold', size });
  page.lines(60, 270, [...PROSE, ...PROSE]);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'heading').map(({ text }) => text)).toEqual(['Harbours']);
});

it('takes no three capitals below a number as a heading', async () => {
  const page = new TestPage()
    .lines(60, 80, [...PROSE, ...PROSE])
    .lines(90, 150, ['2', 'ALL'])
    .lines(60, 200, [...PROSE, ...PROSE]);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'heading')).toEqual([]);
});

it.each(['Warning:', 'Examples:', 'Hinweis:', 'Remarque :', '4 May 2022', 'Lamps and masts \x85'])(
  'takes the larger bold line %s as no heading',
  async (text) => {
    const page = new TestPage()
      .lines(60, 80, [...PROSE, ...PROSE])
      .text(60, 150, text, { font: 'bold', size: 11 })
      .lines(60, 180, [...PROSE, ...PROSE]);
    const { blocks } = await parsePdf(makePdf([page]));
    expect(blocks.filter(({ type }) => type === 'heading')).toEqual([]);
  },
);

it.each([9, 10, 11])('takes bold words of %i points beside each other as no headings', async (size) => {
  const page = new TestPage()
    .lines(60, 80, [...PROSE, ...PROSE], { size })
    .text(60, 150, 'Op', { font: 'bold', size })
    .text(160, 150, 'Precedence of masts', { font: 'bold', size })
    .lines(60, 200, [...PROSE, ...PROSE], { size });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'heading')).toEqual([]);
});

it.each([12, 14, 18])('keeps the sentences of a numbered title of %i points together', async (size) => {
  const page = new TestPage()
    .lines(60, 80, [...PROSE, ...PROSE])
    .text(60, 150, '5.14', { font: 'bold', size })
    .text(60 + 3 * size, 150, 'The lamp of my boat is dark.', { font: 'bold', size })
    .text(60 + 3 * size, 150 + 1.2 * size, 'What should I do?', { font: 'bold', size })
    .lines(60, 200, [...PROSE, ...PROSE]);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'heading').map(({ text }) => text)).toEqual([
    '5.14 The lamp of my boat is dark. What should I do?',
  ]);
});
