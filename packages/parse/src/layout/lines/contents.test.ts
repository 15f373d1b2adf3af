import { describe, expect, it } from 'vitest';
import { makePdf, TestPage, type TextStyle } from '../../formats/pdf/testing/make-pdf.ts';
import { gridOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';
import { finishTree } from '@quire/blocks/finish-tree';
import { toMarkdown } from '@quire/blocks/to-markdown';

interface Entry {
  title: string;
  number: string;
  indent?: number;
  style?: TextStyle;
}

const ENTRIES: readonly Entry[] = [
  { title: 'Preface', number: 'vii' },
  { title: '1 The harbour', number: '1', style: { font: 'bold' } },
  { title: '1.1 Ships', number: '1', indent: 15 },
  { title: '1.2 Quays and the people', number: '4', indent: 15 },
  { title: '2 The town', number: '9', style: { font: 'bold' } },
  { title: '2.1 Streets', number: '9', indent: 15 },
  { title: '2.2 Lamps', number: '12', indent: 15 },
];

const MARKDOWN = [
  '- Preface … vii',
  '- 1 The harbour … 1',
  '  - 1.1 Ships … 1',
  '  - 1.2 Quays and the people … 4',
  '- 2 The town … 9',
  '  - 2.1 Streets … 9',
  '  - 2.2 Lamps … 12',
].join('\n');

async function markdownOf(page: TestPage, ...pages: TestPage[]): Promise<string> {
  return toMarkdown(finishTree(await parsePdf(makePdf([page, ...pages])), null)).trim();
}

/** Returns the width of a page number in Helvetica, as a share of the font size. */
const widthOf = (number: string): number =>
  Array.from(number, (letter) => (letter === 'v' ? 0.5 : letter === 'i' ? 0.222 : 0.556)).reduce((a, b) => a + b, 0);

/** Draws entries with page numbers that end at x = 520; titles first and numbers last, as some programs do. */
function withEntries(page: TestPage, entries: readonly Entry[], size: number, top = 110): TestPage {
  const pitch = 1.3 * size;
  entries.forEach(({ title, indent = 0, style }, index) => {
    page.text(60 + indent, top + index * pitch, title, { size, ...style });
  });
  entries.forEach(({ number, style }, index) => {
    page.text(520 - widthOf(number) * size, top + index * pitch, number, { size, ...style });
  });
  return page;
}

describe('tables of contents', () => {
  it.each([
    ['Contents', 10],
    ['Table of contents', 12],
    ['Inhaltsverzeichnis', 9],
    ['TABLE DES MATIÈRES', 8],
  ])('have one entry a line without leaders below the title %s in %i points', async (title, size) => {
    const page = new TestPage().text(60, 80, title, { font: 'bold', size: 18 });
    expect(await markdownOf(withEntries(page, ENTRIES, size))).toBe(`# ${title}\n\n${MARKDOWN}`);
  });

  it('continue on the next page without a title', async () => {
    const later: Entry[] = ['Ships', 'Tides', 'Lamps', 'Ropes'].map((title, index) => ({
      title: `A.${index} ${title}`,
      number: String(14 + index * 3),
    }));
    const first = withEntries(new TestPage().text(60, 80, 'Contents', { font: 'bold', size: 18 }), ENTRIES, 10);
    const markdown = await markdownOf(first, withEntries(new TestPage(), later, 10));
    expect(markdown).toContain('- A.0 Ships … 14\n- A.1 Tides … 17\n- A.2 Lamps … 20\n- A.3 Ropes … 23');
  });

  it('keep the page numbers that follow their titles at a space', async () => {
    const titles = ['Preface 7', 'Ships of the north 9', 'Quays 31', 'Lamps and bells 40', 'Index 55'];
    const page = new TestPage().text(60, 80, 'Contents', { font: 'bold', size: 18 }).lines(60, 110, titles);
    expect(await markdownOf(page)).toBe(`# Contents\n\n${titles.map((title) => `- ${title}`).join('\n')}`);
  });

  it('join the lines of a long entry and leave parts without a page number apart', async () => {
    const page = new TestPage().text(60, 80, 'Contents', { font: 'bold', size: 18 });
    page.text(60, 110, 'Preface').text(515, 110, '3');
    page.text(60, 124, 'Part I: Water', { font: 'bold' });
    page.text(60, 138, '1 A long title of a chapter on the ships of the north and on the sea that');
    page.text(75, 150, 'carried them').text(515, 150, '5');
    page.text(60, 164, '2 Quays').text(515, 164, '8');
    page.text(60, 178, '3 Tides').text(515, 178, '9');
    expect(await markdownOf(page)).toBe(
      [
        '# Contents\n',
        '- Preface … 3',
        '- Part I: Water',
        '- 1 A long title of a chapter on the ships of the north and on the sea that carried them … 5',
        '- 2 Quays … 8',
        '- 3 Tides … 9',
      ].join('\n'),
    );
  });

  it.each([2, 3])('end on a page with %i entries', async (count) => {
    const first = withEntries(new TestPage().text(60, 80, 'Contents', { font: 'bold', size: 18 }), ENTRIES, 10);
    const rest = new TestPage();
    ['3 Lamps', '4 Masts and ropes', '5 Index'].slice(0, count).forEach((title, index) => {
      rest.text(60, 140 + index * 30, title, { font: 'bold' }).text(480, 140 + index * 30, String(14 + index));
    });
    const { blocks } = await parsePdf(makePdf([first, rest]));
    expect(blocks.filter((block) => block.page === 2).map(({ type }) => type)).toEqual(
      Array.from({ length: count }, () => 'listItem'),
    );
  });

  it('are not found in a table of a page that links to the contents', async () => {
    const page = new TestPage().text(60, 40, 'Table of contents').text(60, 80, 'Results', { font: 'bold', size: 14 });
    const rows = ['Dues', 'Quays', 'Lamps', 'Total'];
    rows.forEach((label, index) => {
      const y = 110 + index * 14;
      page.text(60, y, label);
      [1, 2, 3].forEach((column) => page.text(200 + column * 80, y, String(120 + index * 40 + column)));
    });
    const { blocks } = await parsePdf(makePdf([page]));
    expect(gridOf(blocks.find((block) => block.type === 'table'))).toHaveLength(4);
  });

  it('are not found in a table of numbers that ascend', async () => {
    const page = new TestPage().text(60, 80, 'Arrivals', { font: 'bold', size: 18 });
    const { blocks } = await parsePdf(makePdf([withEntries(page, ENTRIES.slice(1), 10)]));
    expect(gridOf(blocks.find((block) => block.type === 'table')).length).toBe(6);
  });
});
