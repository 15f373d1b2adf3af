import { describe, expect, it } from 'vitest';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { gridOf, outlineOf, parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

it('reads a table within a cell as text of that cell', async () => {
  const page = new TestPage().grid([60, 280, 500], [100, 120, 180]);
  page
    .grid([286, 390, 494], [146, 162, 178])
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

it('keeps list items in a cell on separate lines', async () => {
  const page = new TestPage()
    .grid([60, 280, 500], [100, 150, 200])
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

it('detects framed rows of one column as a table, but not a framed text with a title', async () => {
  const rows = new TestPage()
    .grid([60, 480], [100, 120, 140, 160])
    .text(66, 114, 'Harbour')
    .text(66, 134, 'Bergen')
    .text(66, 154, 'Narvik');
  const body = Array.from(
    { length: 6 },
    (_, index) => `This is line ${index + 1} of the text in a box beside the page.`,
  );
  const boxed = new TestPage()
    .grid([60, 480], [100, 120, 210])
    .text(66, 114, 'What is a harbour?')
    .lines(66, 134, body);
  const [first, second] = [await parsePdf(makePdf([rows])), await parsePdf(makePdf([boxed]))];
  expect(first.blocks.map(gridOf)).toEqual([[['Harbour'], ['Bergen'], ['Narvik']]]);
  expect(outlineOf(second.blocks)).toEqual([`paragraph: What is a harbour?`, `paragraph: ${body.join(' ')}`]);
});

it('finds numeric columns under headings aligned to their left', async () => {
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

it('keeps the second line of the last row in the table', async () => {
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

it('assigns slanted and vertical headings to the columns where they start', async () => {
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

it('keeps table rows in the place of page numbers', async () => {
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

it('reads a ruled table with cells over two columns and two rows', async () => {
  const page = new TestPage();
  for (const y of [100, 120, 160]) page.rule(60, y, 360, y);
  page.rule(160, 140, 360, 140);
  for (const x of [60, 360]) page.rule(x, 100, x, 160);
  page.rule(160, 120, 160, 160).rule(260, 120, 260, 160);
  page
    .text(70, 114, 'Harvest of the year')
    .text(70, 144, 'Apples')
    .text(170, 134, '120')
    .text(270, 134, '130')
    .text(170, 154, '90')
    .text(270, 154, '80');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.type)).toEqual(['table']);
  expect(blocks[0]?.rows?.map((row) => row.map((cell) => [cell.text, cell.rowSpan, cell.colSpan]))).toEqual([
    [['Harvest of the year', 1, 3]],
    [
      ['Apples', 2, 1],
      ['120', 1, 1],
      ['130', 1, 1],
    ],
    [
      ['90', 1, 1],
      ['80', 1, 1],
    ],
  ]);
});

it('keeps lists in ruled cells whole even if their lines are aligned', async () => {
  const page = new TestPage().grid([60, 220, 380], [90, 110, 170, 190]).text(70, 104, 'One').text(230, 104, 'Other');
  for (const [x, name] of [
    [70, 'A'],
    [230, 'B'],
  ] as const) {
    ['first', 'second', 'third'].forEach((item, index) =>
      page.text(x, 126 + index * 16, '-').text(x + 12, 126 + index * 16, `${name} ${item}`),
    );
  }
  page.text(70, 184, 'End').text(230, 184, 'Stop');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])).toEqual([
    ['One', 'Other'],
    ['- A first\n- A second\n- A third', '- B first\n- B second\n- B third'],
    ['End', 'Stop'],
  ]);
});

it('joins a table across a page break, without its repeated heading', async () => {
  const part = (rows: readonly string[][], top: number): TestPage => {
    const page = new TestPage().grid(
      [60, 200, 340],
      rows.map((_, index) => top + index * 20).concat(top + rows.length * 20),
    );
    rows.forEach((row, index) =>
      row.forEach((text, column) => page.text(65 + column * 140, top + 14 + index * 20, text)),
    );
    return page;
  };
  const pages = [
    part(
      [
        ['Town', 'People'],
        ['Bern', '134000'],
        ['Basel', '178000'],
      ],
      700,
    ),
    part(
      [
        ['Town', 'People'],
        ['Zug', '30000'],
        ['Chur', '38000'],
      ],
      60,
    ),
  ];
  const { blocks } = await parsePdf(makePdf(pages));
  expect(blocks.map((block) => block.type)).toEqual(['table']);
  expect(gridOf(blocks[0])).toEqual([
    ['Town', 'People'],
    ['Bern', '134000'],
    ['Basel', '178000'],
    ['Zug', '30000'],
    ['Chur', '38000'],
  ]);
});

describe('tables that reach into the margins', () => {
  /** Draws 50 rows from 90 points below the top edge to 58 above the bottom edge. */
  const table = (page: TestPage): TestPage => {
    const rows = [
      ['Ship', 'Tons'],
      ...Array.from({ length: 49 }, (_, row) => [`Vessel ${'abcde'[row % 5]}`, `${row * 7}`]),
    ];
    rows.forEach(([ship, tons], row) =>
      page.text(100, 100 + row * 14, ship ?? '').text(300, 100 + row * 14, tons ?? ''),
    );
    for (let row = 0; row <= rows.length; row++) page.rule(90, 90 + row * 14, 400, 90 + row * 14);
    return page;
  };

  it('keep their header and last rows even if they look like page numbers', async () => {
    const { blocks } = await parsePdf(makePdf([table(new TestPage()), table(new TestPage())]));
    const rows = blocks.flatMap((block) => block.rows ?? []).map((row) => row.map((cell) => cell.text).join(' '));
    expect([rows[0], rows[49]]).toEqual(['Ship Tons', 'Vessel d 336']);
    expect(rows.filter((row) => row === 'Vessel d 336')).toHaveLength(2);
  });
});
