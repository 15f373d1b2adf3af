/** Account tables: rules over the numeric columns only, rules under single cells, and consecutive tables. */
import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { gridOf, outlineOf, parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

const NOTE = 'All of these securities are held for clients and can be sold on any day of the year, as told above.';
const FIGURES = [
  ['Corporate bonds', '17,699.9', '17.1'],
  ['Treasury securities', '8,167.5', '17.7'],
  ['Provincial bonds', '1,108.5', '8.4'],
];

/** Draws a table whose rules exclude the label column, below a month name. */
function statement(page: TestPage, top: number, month: string): TestPage {
  page.text(330, top, month).rule(290, top + 4, 460, top + 4);
  page
    .text(300, top + 16, 'Cost')
    .text(400, top + 16, 'Gains')
    .rule(290, top + 20, 460, top + 20);
  FIGURES.forEach(([label, cost, gains], index) => {
    const y = top + 34 + index * 14;
    page.text(60, y, label!).text(300, y, cost!).text(400, y, gains!);
  });
  return page;
}

it('includes row labels left of the rules, and ends the table at running text', async () => {
  const page = statement(new TestPage(), 100, 'June 2024').text(60, 200, NOTE);
  const { blocks } = await parsePdf(makePdf([statement(page, 230, 'May 2024').rule(290, 330, 460, 330)]));
  expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'table', 'paragraph', 'paragraph', 'table']);
  expect(gridOf(blocks[1]).slice(-3)).toEqual(FIGURES);
  expect(outlineOf(blocks)[2]).toBe(`paragraph: ${NOTE}`);
  expect(gridOf(blocks[4]).slice(-3)).toEqual(FIGURES);
});

it('separates columns where the rules under single cells meet', async () => {
  const ends = [55, 200, 260, 295, 331.5, 450];
  const page = new TestPage();
  for (const y of [118, 160]) ends.slice(1).forEach((end, index) => page.rule(ends[index]!, y, end, y));
  ['Article', 'Price', 'Disc.%', 'Taxes', 'Amount'].forEach((text, column) =>
    page.text(ends[column]! + 2, 114, text, { font: 'bold' }),
  );
  [
    ['Beeswax', '42.00', '0.00', '15.00%', '42.00'],
    ['Chair', '70.00', '10.00', '15.00%', '63.00'],
  ].forEach((row, index) => row.forEach((text, column) => page.text(ends[column]! + 2, 134 + index * 16, text)));
  page.rule(55, 100, 450, 100);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])).toEqual([
    ['Article', 'Price', 'Disc.%', 'Taxes', 'Amount'],
    ['Beeswax', '42.00', '0.00', '15.00%', '42.00'],
    ['Chair', '70.00', '10.00', '15.00%', '63.00'],
  ]);
});
