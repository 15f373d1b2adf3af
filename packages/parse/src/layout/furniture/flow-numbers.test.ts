import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const TEXT = [
  'The parties agree that the goods are delivered to the store in the harbour, and that the buyer',
  'examines them within a week; faults that are seen later are told to the seller at once, in writing,',
];

/** Returns pages as of a printed web page, with the numbers of former pages at different heights. */
const printed = (numbers: readonly string[]): TestPage[] =>
  numbers.map((number, index) => {
    const y = 150 + 130 * index;
    const page = new TestPage().lines(60, 80, TEXT).text(290, y, number);
    return page.rule(60, y + 8, 530, y + 8).lines(60, y + 30, TEXT);
  });

const numbersIn = async (pages: readonly TestPage[]): Promise<string[]> => {
  const { blocks } = await parsePdf(makePdf(pages));
  return outlineOf(blocks).filter((line) => !line.includes('parties'));
};

it.each([
  ['bare numbers', ['7', '8', '9', '10']],
  ['numbers between dashes', ['-7-', '-8-', '-9-', '-10-']],
  ['numbers of all pages', ['Page 7 of 12', 'Page 8 of 12', 'Page 9 of 12', 'Page 10 of 12']],
])('leaves out %s of former pages', async (_, numbers) => {
  expect(await numbersIn(printed(numbers))).toEqual([]);
});

it('keeps numbers that do not count on', async () => {
  expect(await numbersIn(printed(['7', '19', '12', '40']))).toHaveLength(4);
});

it('keeps the labels of a scale', async () => {
  const page = new TestPage().lines(60, 80, TEXT);
  ['4', '5', '6', '7'].forEach((label, index) => page.text(290, 200 + 40 * index, label));
  expect(await numbersIn([page.lines(60, 400, TEXT)])).toHaveLength(4);
});
