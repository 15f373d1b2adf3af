import { describe, expect, it } from 'vitest';
import { makePdf, TestPage, type TextStyle } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const PROSE = [
  'The harbour master keeps a book in which every ship is written',
  'down with the day of its arrival and with the port it came from.',
];

/** Draws a section with text under each of its titles; `style` is that of the titles within the section. */
function section(number: string, titles: readonly string[], style: TextStyle): TestPage {
  const page = new TestPage().text(60, 80, number, { font: 'bold', size: 16 }).lines(60, 110, PROSE);
  titles.forEach((title, index) => {
    const y = 170 + index * 70;
    page.text(60, y, title, style).lines(60, y + 16, PROSE);
  });
  return page;
}

const headings = async (...pages: readonly TestPage[]): Promise<string[]> =>
  outlineOf((await parsePdf(makePdf(pages))).blocks)
    .filter((line) => line.startsWith('heading'))
    .map((line) => line.replace(/^heading\d: /, ''));

describe.each<[string, TextStyle]>([
  ['bold', { font: 'bold' }],
  ['larger bold', { font: 'bold', size: 12 }],
  ['larger', { size: 13 }],
])('titles in %s type', (_, style) => {
  it.each(['Note', 'Consejo', 'Tipp'])('are labels if they repeat within sections: %s', async (label) => {
    const pages = [
      section('1 Quays', [label, label], style),
      section('2 Tides', ['Springs', label, label], style),
      section('3 Lamps', [label], style),
    ];
    expect(await headings(...pages)).toEqual(['1 Quays', '2 Tides', 'Springs', '3 Lamps']);
  });

  it('are labels if they have the style of labels, and repeat', async () => {
    const pages = ['1 Quays', '2 Tides', '3 Lamps'].map((title) => section(title, ['Tip', 'Tip', 'Warning'], style));
    expect(await headings(...pages)).toEqual(['1 Quays', '2 Tides', '3 Lamps']);
  });

  it('are labels if they end with a colon, and repeat', async () => {
    const pages = ['1 Quays', '2 Tides', '3 Lamps'].map((title) => section(title, ['Warning:'], style));
    expect(await headings(...pages)).toEqual(['1 Quays', '2 Tides', '3 Lamps']);
  });

  it('are headings if each section has them once', async () => {
    const pages = ['1 Quays', '2 Tides', '3 Lamps', '4 Dues'].map((title) => section(title, ['Use', 'Example'], style));
    expect((await headings(...pages)).filter((title) => title === 'Example')).toHaveLength(4);
  });
});
