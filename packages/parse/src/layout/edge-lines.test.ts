import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../formats/pdf/testing/make-pdf.ts';
import { parsePdf } from '../formats/pdf/testing/parse-pdf.ts';

const TEXT = Array.from(
  { length: 12 },
  (_, index) => `The clerk wrote line ${index + 1} into the ledger of the harbour.`,
);

/** What is left of one page on which `draw` puts something around running text. */
async function textOf(draw: (page: TestPage) => TestPage): Promise<string[]> {
  const { blocks } = await parsePdf(makePdf([draw(new TestPage().lines(60, 100, TEXT))]));
  return blocks.map((block) => block.text ?? '');
}

it('leaves out what a rule parts from the text of a page at its head', async () => {
  const page = await textOf((page) => page.text(60, 66, 'Harbour Studies').rule(60, 70, 380, 70));
  expect(page).toEqual([TEXT.join(' ')]);
});

it('leaves out what underscores part from the text', async () => {
  const page = await textOf((page) => page.text(60, 64, 'Methods').text(60, 75, '_'.repeat(50)));
  expect(page).toEqual([TEXT.join(' ')]);
});

it('leaves out a large page number with small lines beside it', async () => {
  const page = await textOf((page) =>
    page
      .text(60, 808, '14', { size: 20 })
      .text(140, 800, 'Working Paper 1299', { size: 7 })
      .text(140, 810, 'May 2011', { size: 7 }),
  );
  expect(page).toEqual([TEXT.join(' ')]);
});

it('keeps the end of a sentence from the page before', async () => {
  const page = new TestPage().text(60, 58, 'used the term consistently.').lines(60, 81, TEXT);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.text)).toEqual(['used the term consistently.', TEXT.join(' ')]);
});
