import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { gridOf, parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

const NAMES = ['North', 'South', 'East of the river', 'West', 'Old basin', 'New basin'];
const YEARS = ['1996', '1997', '1998', '1999', '2000', '2001'];
/** Width of figures in Helvetica and Courier. */
const widthOf = (text: string, size: number, font: 'regular' | 'mono'): number =>
  Array.from(text).reduce(
    (sum, letter) => sum + (font === 'mono' ? 0.6 : /[,.]/.test(letter) ? 0.278 : 0.556) * size,
    0,
  );

it.each([
  [8, 'regular', 45, 0],
  [9, 'regular', 52, 0.4],
  [7, 'mono', 60, -0.3],
  [10, 'mono', 64, 0],
] as const)(
  'separate figures of %f points (%s) that end at the borders of their cells',
  async (size, font, step, over) => {
    const page = new TestPage();
    const rows = [
      ['', ...YEARS],
      ...NAMES.map((name, row) => [name, ...YEARS.map((_, column) => `${row * 7 + column + 1},${104 + column * 131}`)]),
    ];
    const edge = (column: number): number => (column === 0 ? 60 : 150 + column * step);
    const left = (column: number): number =>
      column === 0 ? 60 : edge(Math.max(1, column) - 1) + (column === 1 ? 90 : 0);
    rows.forEach((row, index) => {
      const y = 110 + index * size * 1.5;
      row.forEach((text, column) => {
        // Figures end at the border give or take a fraction of a point, as programs round them.
        const end = edge(column) + over + (index % 3) * 0.004;
        page.text(column === 0 ? 60 : end - widthOf(text, size, font), y, text, { size, font });
      });
    });
    // The border of each cell is drawn separately.
    for (const y of [100, 110 + size * 0.4, 110 + size * 9.4])
      for (let column = 0; column <= YEARS.length; column++)
        page.rule(left(column), y, edge(column) + (column === 0 ? 90 : 0), y);
    const { blocks } = await parsePdf(makePdf([page]));
    expect(gridOf(blocks.find(({ type }) => type === 'table'))).toEqual(rows);
  },
);
