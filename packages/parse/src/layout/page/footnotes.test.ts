import { describe, expect, it } from 'vitest';
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

describe.each([
  [10, 8],
  [12, 10],
  [9, 7],
])('notes below text of %i points in %i points', (size, noteSize) => {
  const bodyLines = (page: TestPage, y: number): TestPage => page.lines(60, y, BODY, { size });

  it('are tied to their marks', async () => {
    const page = bodyLines(new TestPage(), 100)
      .withMarks(60, 136, ['It was kept in the archive', '3', ', of the town', '4', ' until the end.'], { size })
      .withMarks(60, 740, ['', '3', 'See the ledger of the council.'], { size: noteSize, markSize: 0.6 * noteSize })
      .withMarks(60, 752, ['', '4', 'Or of what was then the town.'], { size: noteSize, markSize: 0.6 * noteSize });
    const { blocks } = await parsePdf(makePdf([page]));
    expect(outlineOf(blocks)).toEqual([
      `paragraph: ${BODY.join(' ')} It was kept in the archive[3], of the town[4] until the end.`,
      'footnote: [3] See the ledger of the council.',
      'footnote: [4] Or of what was then the town.',
    ]);
  });

  it('keep further paragraphs without a mark', async () => {
    const first = bodyLines(new TestPage(), 700)
      .withMarks(60, 750, ['', '1', 'A note on the harbour of the north.'], { size: noteSize, markSize: 5 })
      .text(70, 770, 'It has a second paragraph, which has no mark.', { size: noteSize });
    const { blocks } = await parsePdf(makePdf([first]));
    expect(outlineOf(blocks).slice(1)).toEqual([
      'footnote: 1A note on the harbour of the north.',
      'footnote: It has a second paragraph, which has no mark.',
    ]);
  });

  it('are found in the size of the text below a short rule', async () => {
    const page = bodyLines(new TestPage(), 600).rule(60, 640, 180, 640);
    page.withMarks(60, 655, ['', '1', 'A note as large as the text above it.'], { size });
    const { blocks } = await parsePdf(makePdf([page]));
    expect(outlineOf(blocks)).toEqual([
      `paragraph: ${BODY.join(' ')}`,
      'footnote: 1A note as large as the text above it.',
    ]);
  });
});

it('leaves exponents on a page with notes', async () => {
  const page = new TestPage()
    .lines(60, 100, BODY)
    .withMarks(60, 136, ['The hall has 120 m', '2', ' and the tower', '2', ' has 30 m.'])
    .withMarks(60, 752, ['', '2', 'Measured in the spring.'], { size: 8, markSize: 5 });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.text)).toEqual([
    `${BODY.join(' ')} The hall has 120 m2 and the tower[2] has 30 m.`,
    '[2] Measured in the spring.',
  ]);
});

it('joins a full last line with a capital letter on the next page', async () => {
  const full = [
    'The keeper wrote to the council of the town and to each of',
    'its members on the day before the ship of the king sailed to',
  ];
  const rest = 'Bergen with the letters of the town.';
  const first = new TestPage().lines(60, 700, full).text(60, 780, '1 See the annex.', { size: 7 });
  const { blocks } = await parsePdf(makePdf([first, new TestPage().lines(60, 80, [rest])]));
  expect(outlineOf(blocks)).toEqual([`paragraph: ${full.join(' ')} ${rest}`, 'footnote: 1 See the annex.']);
});

it('does not join a short last line with a capital letter on the next page', async () => {
  const ended = ['The keeper wrote to the council of the town and to each of', 'its members'];
  const rest = 'Bergen has the letters of the town.';
  const { blocks } = await parsePdf(
    makePdf([new TestPage().lines(60, 700, ended), new TestPage().lines(60, 80, [rest])]),
  );
  expect(blocks.map((block) => block.text)).toEqual([ended.join(' '), rest]);
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
