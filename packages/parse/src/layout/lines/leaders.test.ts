import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const TITLES = ['1.1 Ships', '1.2 Quays and the people who work on them', '1.3 Tides', '1.4 Lamps'];

it.each([
  ['spaced dots', ' . . . . . . . . . . . . . '],
  ['dots without spaces', ' ............ '],
  ['dots that touch the title', '............ '],
])('keeps each entry of a table of contents with its page number after %s', async (_, dots) => {
  const page = new TestPage().text(60, 80, 'Contents', { font: 'bold', size: 16 });
  page.text(60, 110, '1 Harbours', { font: 'bold' }).text(500, 110, '7', { font: 'bold' });
  TITLES.forEach((title, index) => {
    page.text(75, 125 + index * 12, `${title}${dots}`).text(500, 125 + index * 12, String(7 + index));
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toEqual([
    'heading1: Contents',
    'listItem: 1 Harbours … 7',
    ...TITLES.map((title, index) => `listItem: ${title} … ${7 + index}`),
  ]);
});
