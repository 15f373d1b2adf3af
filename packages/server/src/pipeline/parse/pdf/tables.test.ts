import { expect, it } from 'vitest';
import { makePdf, TestPage } from './testing/make-pdf.ts';
import { gridOf, outlineOf, parsePdf } from './testing/parse-pdf.ts';

/** Rules around and between the cells of a grid. */
function grid(page: TestPage, xs: readonly number[], ys: readonly number[]): TestPage {
  for (const y of ys) page.rule(xs[0]!, y, xs.at(-1)!, y);
  for (const x of xs) page.rule(x, ys[0]!, x, ys.at(-1)!);
  return page;
}

it('reads a table within a cell as text of that cell', async () => {
  const page = grid(new TestPage(), [60, 280, 500], [100, 120, 180]);
  grid(page, [286, 390, 494], [146, 162, 178])
    .text(66, 114, 'Port')
    .text(286, 114, 'Dues')
    .text(66, 134, 'Bergen')
    .text(286, 134, 'By the size of the boat:')
    .text(290, 158, 'small')
    .text(394, 158, '12')
    .text(290, 174, 'large')
    .text(394, 174, '30');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(gridOf)).toEqual([
    [
      ['Port', 'Dues'],
      ['Bergen', 'By the size of the boat:\nsmall 12 large 30'],
    ],
  ]);
});

it('keeps the items of a list in a cell on lines of their own', async () => {
  const page = grid(new TestPage(), [60, 280, 500], [100, 150, 200])
    .text(66, 114, 'The clerk keeps:')
    .text(80, 127, '-  a book of dues')
    .text(80, 140, '-  a book of boats')
    .text(286, 114, 'daily')
    .text(66, 164, 'The master keeps the keys')
    .text(286, 164, 'always');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(gridOf)).toEqual([
    [
      ['The clerk keeps:\n- a book of dues\n- a book of boats', 'daily'],
      ['The master keeps the keys', 'always'],
    ],
  ]);
});

it('takes framed rows of one column for a table, and a framed text with a title for none', async () => {
  const rows = grid(new TestPage(), [60, 480], [100, 120, 140, 160])
    .text(66, 114, 'Harbour')
    .text(66, 134, 'Bergen')
    .text(66, 154, 'Narvik');
  const body = Array.from(
    { length: 6 },
    (_, index) => `This is line ${index + 1} of the text in a box beside the page.`,
  );
  const boxed = grid(new TestPage(), [60, 480], [100, 120, 210])
    .text(66, 114, 'What is a harbour?')
    .lines(66, 134, body);
  const [first, second] = [await parsePdf(makePdf([rows])), await parsePdf(makePdf([boxed]))];
  expect(first.blocks.map(gridOf)).toEqual([[['Harbour'], ['Bergen'], ['Narvik']]]);
  expect(outlineOf(second.blocks)).toEqual([`paragraph: What is a harbour?`, `paragraph: ${body.join(' ')}`]);
});

it('finds the columns of figures under headings that are set to their left', async () => {
  const page = new TestPage()
    .text(60, 100, 'Year', { font: 'bold' })
    .text(122, 100, 'Ducks on the pond', { font: 'bold' });
  [120, 135, 150, 170].forEach((count, row) => {
    page.text(98, 112 + row * 12, String(2019 + row)).text(195, 112 + row * 12, String(count));
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(gridOf)).toEqual([
    [
      ['Year', 'Ducks on the pond'],
      ['2019', '120'],
      ['2020', '135'],
      ['2021', '150'],
      ['2022', '170'],
    ],
  ]);
});

it('keeps the second line of the last row in the table, as those of the rows before', async () => {
  const page = new TestPage();
  ['Wonderland', 'Mystery', 'Spectacular'].forEach((title, row) => {
    page
      .text(60, 100 + row * 28, `Hall ${row + 1}`)
      .text(150, 100 + row * 28, title)
      .text(300, 100 + row * 28, `${row + 3} pm`)
      .text(400, 100 + row * 28, `${row * 12 + 12}.00`)
      .text(150, 112 + row * 28, 'with an interval', { size: 8 });
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.type)).toEqual(['table']);
  expect(JSON.stringify(gridOf(blocks[0]).at(-1))).toContain('with an interval');
});

it('puts headings that are set aslant or on their side over the columns that they start at', async () => {
  const page = new TestPage();
  ['Bergen', 'Narvik', 'Vadsø'].forEach((name, row) => {
    page
      .text(60, 140 + row * 14, name)
      .text(160, 140 + row * 14, `1${row}`)
      .text(240, 140 + row * 14, `2${row}`);
    page.text(320, 140 + row * 14, `3${row}`);
  });
  page.text(60, 126, 'Port').slanted(162, 128, 'Boats', 10).slanted(242, 128, 'Crews', 10).sideways(328, 128, 'Dues');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])[0]).toEqual(['Port', 'Boats', 'Crews', 'Dues']);
  expect(blocks.length).toBe(1);
});

it('keeps the rows of a table that stand where page numbers do on every page', async () => {
  const rows = (from: number): TestPage => {
    const page = new TestPage();
    for (let row = 0; row < 40; row++) {
      const y = 60 + row * 19;
      page
        .text(60, y, String(from + row))
        .text(120, y, `Boat of harbour ${from + row}`)
        .text(400, y, String(900 + row));
    }
    return page;
  };
  const { blocks } = await parsePdf(makePdf([rows(1), rows(41), rows(81)]));
  expect(blocks.map((block) => block.type)).toEqual(['table']);
  expect(gridOf(blocks[0]).map(([number]) => number)).toEqual(Array.from({ length: 120 }, (_, row) => String(row + 1)));
});
