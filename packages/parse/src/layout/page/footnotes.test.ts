import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const BODY = [
  'The treaty was signed by all of the parties in the autumn',
  'of that year and came into force when the last of them had',
  'handed over its instrument of ratification to the keeper.',
];

it('separates consecutive footnotes without a space after their numbers', async () => {
  const page = new TestPage()
    .lines(60, 100, BODY)
    .lines(60, 760, ['1A note on the first harbour.', '2See the ledger of the council.'], { size: 7 });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks).slice(1)).toEqual([
    'footnote: 1A note on the first harbour.',
    'footnote: 2See the ledger of the council.',
  ]);
});

it('separates a numbered note from a note with a symbol', async () => {
  const page = new TestPage()
    .lines(60, 100, BODY)
    .lines(60, 760, ['* Paid for by the fund of the harbour.', '1See the ledger of the council.'], { size: 7 });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks).slice(1)).toEqual([
    'footnote: * Paid for by the fund of the harbour.',
    'footnote: 1See the ledger of the council.',
  ]);
});

it('separates the entries of a list of references', async () => {
  const page = new TestPage().lines(60, 100, [
    '[1] A. Berg. Harbours of the north. Bergen, 1912.',
    '[2] O. Dahl. Dues and boats, and what the council',
    'had to say of them. Oslo, 1920.',
    '[3] A. Berg. The last boat. Bergen, 1931.',
  ]);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.text)).toEqual([
    '[1] A. Berg. Harbours of the north. Bergen, 1912.',
    '[2] O. Dahl. Dues and boats, and what the council had to say of them. Oslo, 1920.',
    '[3] A. Berg. The last boat. Bergen, 1931.',
  ]);
});

it('places punctuation after a number in right-to-left text', async () => {
  const page = new TestPage()
    .text(300, 100, 'edcba', { font: 'hebrew', size: 14 })
    .text(262, 100, '.340', { size: 14 });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks[0]?.text).toBe('אבגדה 340.');
});
