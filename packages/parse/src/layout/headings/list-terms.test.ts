import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const PROSE = [
  'The harbour master keeps a book in which every ship is written',
  'down with the day of its arrival and with the port it came from.',
];
const TERMS = ['Attach', 'Stack trace', 'Delete all', 'View'];

/** Draws running text at `left`, and bold lines above text at `indented`. */
function manual(left: number, indented: number): TestPage {
  const page = new TestPage().text(60, 80, '1 Buttons', { font: 'bold', size: 16 }).lines(left, 110, PROSE);
  TERMS.forEach((term, index) => {
    const y = 150 + index * 60;
    page.text(60, y, term, { font: 'bold' }).lines(indented, y + 14, PROSE);
  });
  return page;
}

async function headings(page: TestPage): Promise<string[]> {
  const { blocks } = await parsePdf(makePdf([page]));
  return blocks.filter(({ type }) => type === 'heading').map(({ text }) => text ?? '');
}

it.each([76, 90, 105])('takes bold lines above text indented to %i as terms of a list', async (indented) => {
  expect(await headings(manual(60, indented))).toEqual(['1 Buttons']);
});

it('takes bold lines as headings if their text is flush, or all text is indented', async () => {
  expect(await headings(manual(60, 60))).toEqual(['1 Buttons', ...TERMS]);
  expect(await headings(manual(90, 90))).toEqual(['1 Buttons', ...TERMS]);
});
