import { expect, it } from 'vitest';
import { makePdf, TestPage, type PdfExtras } from '../../formats/pdf/testing/make-pdf.ts';
import { parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const PROSE = [
  'The harbour master keeps a book in which every ship is written',
  'down with the day of its arrival and with the port it came from.',
];
const TITLES = ['Quays', 'Tides', 'Lamps', 'Dues', 'Pilots'];
const OUTLINE = TITLES.map((title, index) => [title, index] as const);

/** Draws a page per title, with a label in bold type of the running text's size. */
const pages = (labels: readonly string[]): TestPage[] =>
  TITLES.map((title, index) =>
    new TestPage()
      .text(60, 80, title, { font: 'bold', size: 16 })
      .lines(60, 110, PROSE)
      .text(60, 150, labels[index] ?? '', { font: 'bold' })
      .lines(60, 166, PROSE),
  );

async function headings(drawn: readonly TestPage[], extras: PdfExtras = {}): Promise<string[]> {
  const { blocks } = await parsePdf(makePdf(drawn, extras));
  return blocks.filter(({ type }) => type === 'heading').map(({ text }) => text ?? '');
}

const LABELS = ['Mind the step', 'Ring the bell', 'Ask the clerk', 'Read the board', 'Keep the rope dry'];

it('takes a style of the running text size without any bookmark as labels', async () => {
  expect(await headings(pages(LABELS))).toEqual(TITLES.flatMap((title, index) => [title, LABELS[index]]));
  expect(await headings(pages(LABELS), { outline: OUTLINE })).toEqual(TITLES);
});

it('keeps the headings of a style with a bookmark, and of a few bookmarks', async () => {
  const all = TITLES.flatMap((title, index) => [title, LABELS[index]]);
  expect(await headings(pages(LABELS), { outline: [...OUTLINE, ['Ask the clerk', 2]] })).toEqual(all);
  expect(await headings(pages(LABELS), { outline: OUTLINE.slice(0, 3) })).toEqual(all);
});

it.each(['string', 'A long way home, by sea', '4 wanna-sail'])(
  'takes the bookmarked title %s as a heading',
  async (title) => {
    const page = new TestPage().lines(60, 100, PROSE).text(60, 160, title).lines(60, 190, PROSE);
    expect(await headings([page])).toEqual([]);
    expect(await headings([page], { outline: [[title.replace(/^4 /, ''), 0]] })).toEqual([title]);
  },
);
