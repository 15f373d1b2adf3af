import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const outline = async (page: TestPage): Promise<string[]> => outlineOf((await parsePdf(makePdf([page]))).blocks);

/** Draws a square whose upper left corner is at (x, y). */
const square = (page: TestPage, x: number, y: number, side: number): TestPage =>
  page.grid([x, x + side], [y, y + side]);

/** Draws a cross of two strokes in a square. */
const cross = (page: TestPage, x: number, y: number, side: number): TestPage =>
  page.rule(x + 1, y + 1, x + side - 1, y + side - 1).rule(x + side - 1, y + 1, x + 1, y + side - 1);

it.each([
  [7, 9],
  [9, 10],
  [12, 12],
])('reads drawn boxes of %i points beside text of %i points, ticked by strokes or a letter', async (side, size) => {
  const page = new TestPage();
  const answers = ['By ship', 'By train', 'On foot'];
  answers.forEach((answer, index) => {
    const y = 100 + index * 20;
    square(page, 60, y - side + 1, side).text(60 + side + 5, y, answer, { size });
  });
  cross(page, 60, 121 - side, side).text(60 + 0.2 * side, 140, 'X', { size: 0.8 * side });
  expect(await outline(page)).toEqual(['listItem: ☐ By ship', 'listItem: ☒ By train', 'listItem: ☒ On foot']);
});

it('reads boxes within a line, also those after their text', async () => {
  const page = new TestPage().text(60, 100, 'Married').text(103, 100, 'yes').text(150, 100, 'no');
  cross(square(square(page, 121, 92, 9), 163, 92, 9), 121, 92, 9);
  expect(await outline(page)).toEqual(['paragraph: Married yes ☒', 'paragraph: no ☐']);
});

it('reads the boxes of interactive forms beside their printed text', async () => {
  const page = new TestPage().text(75, 100, 'I accept the terms').text(75, 120, 'Send me the news');
  page.checkbox(60, 91, 70, 101, 'form1[0].c1', true).checkbox(60, 111, 70, 121, 'form1[0].c2', false);
  expect(await outline(page)).toEqual(['listItem: ☒ I accept the terms', 'listItem: ☐ Send me the news']);
});

it('leaves squares without text and the cells of tables', async () => {
  const page = square(new TestPage(), 300, 400, 9).grid([60, 72, 84], [200, 212, 224]);
  page.text(64, 210, '1', { size: 8 }).text(76, 210, '2', { size: 8 });
  page.text(64, 222, '3', { size: 8 }).text(76, 222, '4', { size: 8 }).text(60, 100, 'Text');
  expect((await outline(page)).filter((line) => /[☐☒]/u.test(line))).toEqual([]);
});
