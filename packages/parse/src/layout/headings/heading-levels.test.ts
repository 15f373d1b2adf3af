import { describe, expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';
import { headingLevels } from './headings.ts';

const style = (text: string, size: number, bold = true) => ({ text, size, bold, italic: false });

describe('headingLevels', () => {
  it('sets the levels of numbered headings by the depth of their numbers, at any size', () => {
    const headings = [
      style('Handbook of Harbours', 24),
      style('by the Harbour Office', 17),
      style('1 Ships', 14),
      style('1.1 Sailing ships', 14),
      style('1.1.1 Rigs', 11),
      style('Note', 10),
      style('2 Quays', 13.6),
    ];
    expect(headingLevels(headings)).toEqual([1, 2, 2, 3, 4, 5, 2]);
  });

  it('takes sections without a first level as parts of their chapters', () => {
    const headings = [style('Chapter 2 Tides', 20), style('2.1 Springs', 14), style('2.1.1 Neaps', 12)];
    expect(headingLevels(headings)).toEqual([1, 2, 3]);
    expect(headingLevels(headings.slice(1))).toEqual([2, 3]);
  });

  it('orders headings without numbers by size', () => {
    expect(headingLevels([style('A', 20), style('B', 16), style('C', 12), style('D', 16)])).toEqual([1, 2, 3, 2]);
  });
});

const PROSE = [
  'The harbour master keeps a book in which every ship is',
  'written down with the day of its arrival and its port.',
];

it.each([
  ['Chapter 2', 'Tides', 'Chapter 2 Tides'],
  ['Kapitel IV', 'Gezeiten', 'Kapitel IV Gezeiten'],
  ['Appendix B', 'Tides', 'Appendix B Tides'],
  ['Anhang A', 'Gezeiten', 'Anhang A Gezeiten'],
  ['Apéndice C', 'Mareas', 'Apéndice C Mareas'],
  ['7', 'Tides', '7 Tides'],
])('joins the number %s with the title below it', async (number, title, expected) => {
  const page = new TestPage()
    .text(60, 160, number, { font: 'bold', size: 18 })
    .text(60, 200, title, { font: 'bold', size: 22 })
    .lines(60, 250, PROSE);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toEqual([`heading1: ${expected}`, `paragraph: ${PROSE.join(' ')}`]);
});
