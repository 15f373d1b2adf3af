import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const TEXT = Array.from(
  { length: 12 },
  (_, index) => `The clerk wrote line ${index + 1} into the ledger of the harbour.`,
);

/** Returns the text kept from a page on which `draw` adds something around running text. */
async function textOf(draw: (page: TestPage) => TestPage): Promise<string[]> {
  const { blocks } = await parsePdf(makePdf([draw(new TestPage().lines(60, 100, TEXT))]));
  return blocks.map((block) => block.text ?? '');
}

it('drops a header separated from the text by a rule', async () => {
  const page = await textOf((page) => page.text(60, 66, 'Harbour Studies').rule(60, 70, 380, 70));
  expect(page).toEqual([TEXT.join(' ')]);
});

it('drops lines separated from the text by underscores', async () => {
  const page = await textOf((page) => page.text(60, 64, 'Methods').text(60, 75, '_'.repeat(50)));
  expect(page).toEqual([TEXT.join(' ')]);
});

it('drops a large page number with small lines beside it', async () => {
  const page = await textOf((page) =>
    page
      .text(60, 808, '14', { size: 20 })
      .text(140, 800, 'Working Paper 1299', { size: 7 })
      .text(140, 810, 'May 2011', { size: 7 }),
  );
  expect(page).toEqual([TEXT.join(' ')]);
});

it('keeps the end of a sentence from the previous page', async () => {
  const page = new TestPage().text(60, 58, 'used the term consistently.').lines(60, 81, TEXT);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.text)).toEqual(['used the term consistently.', TEXT.join(' ')]);
});

it('drops the title of a short chapter at the place of running headers', async () => {
  const titles = ['Ships', 'Ships', 'Ships', 'Ships', 'Ships', 'Ships', 'Ships', 'Tides', 'Lamps and their keepers'];
  const pages = titles.map((title, index) =>
    new TestPage()
      .text(60, 66, title, { size: 9 })
      .text(500, 66, String(index + 11), { size: 9 })
      .lines(60, 100, TEXT),
  );
  const { blocks } = await parsePdf(makePdf(pages));
  expect(blocks.map((block) => block.text)).toEqual(titles.map(() => TEXT.join(' ')));
});

it('drops numbers below the text that count the pages, at any height', async () => {
  const page = (number: number): TestPage =>
    new TestPage().lines(60, 100, TEXT).text(300, 560, String(number), { size: 10 });
  const { blocks } = await parsePdf(makePdf([4, 5, 6].map(page)));
  expect(blocks.map((block) => block.text ?? '')).toEqual([TEXT, TEXT, TEXT].map((lines) => lines.join(' ')));
  const others = await parsePdf(makePdf([4, 9, 12].map(page)));
  expect(others.blocks.map((block) => block.text)).toContain('9');
});

it.each([8, 10])('drops a running header of %i points that aligns with a numbered title below it', async (size) => {
  const page = new TestPage()
    .text(60, 66, 'Chapter 8. The harbour', { font: 'italic', size })
    .text(380, 66, '8.6. Why are masts', { font: 'italic', size })
    .text(60, 90, '8.6', { font: 'bold', size: 14 })
    .text(110, 90, 'Why are masts and lamps not removed', { font: 'bold', size: 14 })
    .lines(60, 116, TEXT);
  const pages = [1, 2, 3, 4].map(() =>
    new TestPage()
      .text(60, 66, 'Chapter 8. The harbour', { font: 'italic', size })
      .text(380, 66, '8.5. Lamps', { font: 'italic', size })
      .lines(60, 100, TEXT),
  );
  const { blocks } = await parsePdf(makePdf([...pages, page]));
  expect(blocks.filter((block) => block.page === 5).map(({ text }) => text)).toEqual([
    '8.6 Why are masts and lamps not removed',
    TEXT.join(' '),
  ]);
});

it.each(['93', '7', 'xii'])('drops the number %s of a page whose text is turned', async (number) => {
  const page = new TestPage().text(300, 800, number);
  TEXT.forEach((line, index) => page.sideways(100 + index * 12, 700, line));
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(({ text }) => text)).toEqual([TEXT.join(' ')]);
});
