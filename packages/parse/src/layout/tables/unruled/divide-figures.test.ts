import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { gridOf, parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

const NAMES = ['North', 'South', 'East of the river', 'West', 'Old basin'];
const INTRODUCTION = [
  'The table shows the number of ships in each year and harbour, counted',
  'by the pilots at the northern pier, with the sum of their dues in crowns.',
];
/** Width of figures in Helvetica. */
const widthOf = (text: string, size: number): number =>
  Array.from(text).reduce((sum, letter) => sum + (/[,.]/.test(letter) ? 0.278 : 0.556) * size, 0);

const rowsOf = (columns: number, valueOf: (row: number, column: number) => string): string[][] => [
  ['', ...Array.from({ length: columns }, (_, column) => String(2001 + column))],
  ...NAMES.map((name, row) => [name, ...Array.from({ length: columns }, (_, column) => valueOf(row, column))]),
];

/** Draws the columns from x = 140 on, `step` points apart. */
function drawn(rows: readonly (readonly string[])[], size: number, step: number, align: 'left' | 'right'): TestPage {
  const page = new TestPage().lines(60, 60, INTRODUCTION);
  rows.forEach((row, index) => {
    const y = 110 + index * size * 1.5;
    row.forEach((text, column) => {
      const x = column === 0 ? 60 : 140 + (column - 1) * step;
      page.text(column > 0 && align === 'right' ? x + step - 3 - widthOf(text, size) : x, y, text, { size });
    });
  });
  return page;
}

it.each([
  ['percentages', 9, 8, 22, 'right', (row: number, column: number) => `${row * 7 + column}.${column}`],
  ['amounts', 10, 8, 32, 'right', (row: number, column: number) => `${1 + row},${100 + column * 37}`],
  ['codes of four digits', 7, 9, 24, 'left', (row: number, column: number) => String(1000 + row * 100 + column)],
  [
    'values with gaps',
    8,
    9,
    22,
    'right',
    (row: number, column: number) => ((row + column) % 5 ? `${row}${column}` : '-'),
  ],
] as const)('divides narrow columns of %s', async (_, columns, size, step, align, valueOf) => {
  const rows = rowsOf(columns, valueOf);
  const { blocks } = await parsePdf(makePdf([drawn(rows, size, step, align)]));
  expect(gridOf(blocks.find(({ type }) => type === 'table'))).toEqual(rows);
});

it('divides narrow columns between rules, whose rows have as many words as sentences', async () => {
  const rows = rowsOf(12, (row, column) => String(100 + row * 20 + column));
  const page = drawn(rows, 8, 21, 'right').rule(60, 101, 392, 101).rule(60, 113, 392, 113).rule(60, 175, 392, 175);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks.find(({ type }) => type === 'table'))).toEqual(rows);
});

it('keeps telephone numbers and ranges of numbers in one cell', async () => {
  const rows = [
    ['Pilot', 'Telephone', 'Watch', 'Boats'],
    ['Berg', '(425) 555-0100', '6 - 14', '3'],
    ['Lund', '(425) 555-0199', '14 - 22', '2'],
    ['Moe', '(425) 555-0123', '22 - 30', '4'],
  ];
  const page = new TestPage();
  rows.forEach((row, index) => row.forEach((text, column) => page.text(60 + column * 110, 100 + index * 16, text)));
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks.find(({ type }) => type === 'table'))).toEqual(rows);
});
