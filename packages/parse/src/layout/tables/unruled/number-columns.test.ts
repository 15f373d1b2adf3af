import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { gridOf, parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

const NAMES = ['North', 'South', 'East', 'West', 'Old basin', 'New basin'];
const INTRODUCTION = [
  'The table shows the number of ships in each year and harbour, counted',
  'by the pilots at the northern pier, with the sum of their dues in crowns.',
];

/** Width of figures in Helvetica. */
const widthOf = (text: string, size: number): number =>
  Array.from(text).reduce((sum, letter) => sum + (/[,. ]/.test(letter) ? 0.278 : 0.556) * size, 0);

/** Draws right-aligned columns with `gap` points between their widest figures. */
function statistics(rows: readonly (readonly string[])[], size: number, gap: number): TestPage {
  const page = new TestPage().lines(60, 60, INTRODUCTION);
  const columns = rows[0]?.length ?? 0;
  let right = 130;
  for (let column = 1; column < columns; column++) {
    right += Math.max(...rows.map((row) => widthOf(row[column] ?? '', size))) + gap;
    rows.forEach((row, index) => {
      const text = row[column] ?? '';
      page.text(right - widthOf(text, size), 110 + index * size * 1.4, text, { size });
    });
  }
  rows.forEach((row, index) => page.text(60, 110 + index * size * 1.4, row[0] ?? '', { size }));
  return page;
}

const figures = (columns: number, digits: number): string[][] => [
  ['', ...Array.from({ length: columns }, (_, column) => String(2001 + column))],
  ...NAMES.map((name, row) => [
    name,
    ...Array.from({ length: columns }, (_, column) =>
      String((10 ** (digits - 1) + (row + 3) * (column + 7) * 7919) % 10 ** digits)
        .padStart(digits, '4')
        .replaceAll(/\B(?=(?:\d{3})+$)/g, ','),
    ),
  ]),
];

it.each([
  [7, 4, 3],
  [9, 4, 3.5],
  [9, 7, 5],
  [11, 5, 4.5],
])('divides narrow columns of figures: %i points, %i columns, %f points apart', async (size, columns, gap) => {
  for (const digits of [4, 5]) {
    const rows = figures(columns, digits);
    const { blocks } = await parsePdf(makePdf([statistics(rows, size, gap)]));
    expect(gridOf(blocks.find(({ type }) => type === 'table'))).toEqual(rows);
  }
});

it('keeps numbers whose thousands are divided by spaces', async () => {
  const rows = [['', 'Income', 'Expenses'], ...NAMES.map((name, row) => [name, `${51 + row} 544`, `${37 + row} 481`])];
  const { blocks } = await parsePdf(makePdf([statistics(rows, 10, 30)]));
  expect(gridOf(blocks.find(({ type }) => type === 'table'))).toEqual(rows);
});
