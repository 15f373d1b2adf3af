import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const PROSE = ['The harbour master counts the ships of each month, and writes', 'their number in his book.'];
const outline = async (page: TestPage): Promise<string[]> => outlineOf((await parsePdf(makePdf([page]))).blocks);

/** Draws numbers from bottom to top beside a vertical rule. */
function axis(values: readonly number[], place: (value: number) => number): TestPage {
  const page = new TestPage().lines(60, 80, PROSE).rule(120, 150, 120, 360);
  for (const value of values)
    page.text(value < 0 ? 101.6 : 116 - 5.56 * String(value).length, place(value) + 3, String(value));
  return page;
}

it.each([[[0, 10, 20, 30, 40]], [[0, 5, 20, 40]], [[-20, 0, 20]]])(
  'takes the labels %j of an axis as parts of a chart',
  async (values) => {
    expect(await outline(axis(values, (value) => 300 - 3 * value))).toEqual([
      `paragraph: ${PROSE.join(' ')}`,
      expect.stringMatching(/^figure/),
    ]);
  },
);

it('takes the labels of a horizontal axis as parts of a chart', async () => {
  const page = new TestPage().lines(60, 80, PROSE).rule(100, 300, 400, 300);
  for (const value of [10, 15, 20, 35]) page.text(100 + 8 * value, 312, String(value));
  expect(await outline(page)).toEqual([`paragraph: ${PROSE.join(' ')}`, expect.stringMatching(/^figure/)]);
});

it('keeps numbers beside a rule that are not at the positions of their values', async () => {
  const numbers = (await outline(axis([3, 17, 20, 41], (value) => 160 + ((value * 7) % 11) * 17))).join();
  expect(numbers).not.toContain('figure');
});
