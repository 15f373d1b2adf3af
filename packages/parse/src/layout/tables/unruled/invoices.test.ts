/** Business documents: invoice items with multi-line descriptions, fill-in blanks and check boxes. */
import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { gridOf, outlineOf, parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

const COLUMNS = [60, 90, 300, 400];

it('joins the lines of a description to one cell, including lines with numbers', async () => {
  const page = new TestPage().rule(55, 100, 450, 100).rule(55, 118, 450, 118);
  ['No', 'Description', 'Price', 'Sum'].forEach((text, column) =>
    page.text(COLUMNS[column]!, 112, text, { font: 'bold' }),
  );
  ['Mail box', 'Web space', 'Name server'].forEach((name, index) => {
    const y = 134 + index * 56;
    [String(index + 1), name, '3,89', '7,78'].forEach((text, column) => page.text(COLUMNS[column]!, y, text));
    page.lines(90, y + 14, ['basic fee for each unit']).lines(90, y + 28, ['01.05.14-31.05.14']);
  });
  page.rule(55, 300, 450, 300);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.type)).toEqual(['table']);
  expect(gridOf(blocks[0])).toEqual([
    ['No', 'Description', 'Price', 'Sum'],
    ['1', 'Mail box basic fee for each unit 01.05.14-31.05.14', '3,89', '7,78'],
    ['2', 'Web space basic fee for each unit 01.05.14-31.05.14', '3,89', '7,78'],
    ['3', 'Name server basic fee for each unit 01.05.14-31.05.14', '3,89', '7,78'],
  ]);
});

it('reads lines across fill-in blanks and ignores table rules and underlines', async () => {
  const page = new TestPage()
    .text(60, 100, 'This agreement is made this')
    .rule(188, 101, 230, 101)
    .text(234, 100, 'day of')
    .rule(264, 101, 330, 101)
    .text(334, 100, 'between the parties')
    .text(60, 112, 'named below, who have read it with care and sign it of their own free will.')
    .rule(60, 114, 120, 114);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toEqual([
    'paragraph: This agreement is made this ____ day of ____ between the parties named below, who have read it with care and sign it of their own free will.',
  ]);
});
