import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { reader } from './pdf.ts';
import { makePdf, TestPage } from './testing/make-pdf.ts';
import { gridOf, outlineOf, parsePdf, withPdfFile } from './testing/parse-pdf.ts';

const LEFT = [
  'The first column tells of rivers and',
  'of the boats that went upon them in',
  'the years before the railway came to',
  'the valley and took away the trade',
  'of the towns along the banks of it.',
];
const RIGHT = [
  'The second column speaks of mountains',
  'and of the people who kept sheep on',
  'them through the winters when snow',
  'lay deep and every pass was closed',
  'until the month of May had begun.',
];

const twoColumns = (byRow: boolean): TestPage => {
  const page = new TestPage();
  if (!byRow) return page.lines(60, 100, LEFT).lines(320, 100, RIGHT);
  LEFT.forEach((line, index) => page.text(60, 100 + index * 12, line).text(320, 100 + index * 12, RIGHT[index]!));
  return page;
};

describe('running text', () => {
  it.each([false, true])('reads two columns one after the other, drawn row by row: %s', async (byRow) => {
    const { blocks } = await parsePdf(makePdf([twoColumns(byRow)]));
    expect(outlineOf(blocks)).toEqual([`paragraph: ${LEFT.join(' ')}`, `paragraph: ${RIGHT.join(' ')}`]);
  });

  it('reverses right-to-left letters into reading order', async () => {
    // The letters a..e map to alef..he; the page draws them left to right, so the word reads `edcba`.
    const page = new TestPage().text(300, 100, 'edcba', { font: 'hebrew', size: 14 });
    const { blocks } = await parsePdf(makePdf([page]));
    expect(blocks[0]?.text).toBe('אבגדה');
  });

  it('reads a page with rotated text, with boxes on the displayed page', async () => {
    const page = new TestPage().sideways(100, 700, 'A wide table was printed').sideways(112, 700, 'on its side here.');
    const { blocks } = await parsePdf(makePdf([page]));
    expect(blocks.map((block) => block.text)).toEqual(['A wide table was printed on its side here.']);
    const [x0, y0, x1, y1] = blocks[0]!.bbox!;
    expect([x0 * 595 < 100, x1 * 595 > 112, x1 * 595 < 120]).toEqual([true, true, true]);
    expect([Math.round(y1 * 842), y0 * 842 > 560, y0 * 842 < 620]).toEqual([700, true, true]);
  });

  it('joins hyphenated words and keeps hyphens that occur elsewhere in the document', async () => {
    const page = new TestPage().lines(60, 100, [
      'A well-known rule of docu-',
      'ment layout, by now well-',
      'known to all who set type for it.',
    ]);
    const { blocks } = await parsePdf(makePdf([page]));
    expect(blocks.map((block) => block.text)).toEqual([
      'A well-known rule of document layout, by now well-known to all who set type for it.',
    ]);
  });

  it('joins a paragraph that continues on the next page, past a footnote', async () => {
    const first = new TestPage()
      .lines(60, 700, [
        'The treaty was signed by all of the parties in the autumn',
        'of that year and came into force when the last of them had',
      ])
      .text(60, 780, '1 See the annex.', { size: 7 });
    const second = new TestPage().lines(60, 80, [
      'handed over its instrument of ratification to the keeper.',
      'Nothing was changed in it afterwards by anybody at all.',
    ]);
    const { blocks } = await parsePdf(makePdf([first, second]));
    expect(outlineOf(blocks)).toEqual([
      'paragraph: The treaty was signed by all of the parties in the autumn of that year and came into force when the last of them had handed over its instrument of ratification to the keeper. Nothing was changed in it afterwards by anybody at all.',
      'footnote: 1 See the annex.',
    ]);
  });

  it('drops running headers, footers and page numbers', async () => {
    const pages = [1, 2, 3].map((number) =>
      new TestPage()
        .text(60, 40, `Annual report ${2000 + number}`, { size: 8 })
        .lines(60, 200 + number * 20, [
          `Body text of page number ${number} stands here`,
          'and goes on with another line.',
        ])
        .text(290, 810, `${number}`, { size: 8 }),
    );
    const { blocks, pageCount } = await parsePdf(makePdf(pages));
    expect(pageCount).toBe(3);
    expect(blocks.map((block) => block.text)).toEqual(
      [1, 2, 3].map((number) => `Body text of page number ${number} stands here and goes on with another line.`),
    );
  });
});

const FILLER = [
  'Plain text that is long enough to be the body of the',
  'document, set in ten points, so that other sizes tell.',
];

describe('structure', () => {
  it('detects headings and levels by size, weight and number', async () => {
    const page = new TestPage()
      .text(60, 80, 'The Great Work', { size: 22, font: 'bold' })
      .lines(60, 120, FILLER)
      .text(60, 170, '1 Beginnings', { size: 15, font: 'bold' })
      .lines(60, 200, FILLER)
      .text(60, 250, '1.1 First steps', { size: 12, font: 'bold' })
      .lines(60, 280, FILLER)
      .text(60, 330, 'Remarks', { font: 'bold' })
      .lines(60, 346, FILLER);
    const { blocks } = await parsePdf(makePdf([page]));
    expect(outlineOf(blocks).filter((line) => line.startsWith('heading'))).toEqual([
      'heading1: The Great Work',
      'heading2: 1 Beginnings',
      'heading3: 1.1 First steps',
      'heading4: Remarks',
    ]);
  });

  it('takes heading levels from bookmarks if there are any', async () => {
    const page = new TestPage()
      .text(60, 80, 'Preface', { size: 16, font: 'bold' })
      .lines(60, 120, FILLER)
      .text(60, 200, 'Thanks', { size: 13, font: 'bold' })
      .lines(60, 240, FILLER);
    const { blocks } = await parsePdf(
      makePdf([page], {
        outline: [
          ['Preface', 0],
          ['Thanks', 0],
        ],
      }),
    );
    expect(blocks.flatMap((block) => (block.type === 'heading' ? [block.level] : []))).toEqual([1, 1]);
  });

  it('reads lists with their levels and numbers', async () => {
    const page = new TestPage()
      .lines(60, 80, FILLER)
      .text(60, 120, '3. Boil the water')
      .text(80, 134, '- in a kettle')
      .text(80, 148, '- in a pot')
      .text(60, 162, '4. Add the tea');
    const { blocks } = await parsePdf(makePdf([page]));
    expect(
      blocks.slice(1).map(({ type, text, level, ordered, start }) => ({ type, text, level, ordered, start })),
    ).toEqual([
      { type: 'listItem', text: 'Boil the water', level: 1, ordered: true, start: 3 },
      { type: 'listItem', text: 'in a kettle', level: 2, ordered: false, start: undefined },
      { type: 'listItem', text: 'in a pot', level: 2, ordered: false, start: undefined },
      { type: 'listItem', text: 'Add the tea', level: 1, ordered: true, start: undefined },
    ]);
  });

  it('links the words under a link, and gives every block a page and a box', async () => {
    const page = new TestPage()
      .text(60, 100, 'See our site for more', { font: 'mono' })
      .link(84, 90, 132, 104, 'https://example.org/');
    const { blocks } = await parsePdf(makePdf([page]));
    expect(blocks[0]?.links).toEqual([{ start: 4, end: 12, href: 'https://example.org/' }]);
    expect(blocks[0]?.page).toBe(1);
    const [x0, y0, x1, y1] = blocks[0]!.bbox!;
    expect([x0, x1].map((x) => Math.round(x * 595))).toEqual([60, 186]);
    expect(y0).toBeLessThan(100 / 842);
    expect(y1).toBeGreaterThan(100 / 842);
  });

  it('reads filled form fields and the title', async () => {
    const page = new TestPage()
      .text(60, 100, 'Please fill in the form')
      .field(60, 120, 200, 140, 'Name', 'Ada Lovelace');
    const { blocks, title } = await parsePdf(makePdf([page], { title: 'A form' }));
    expect(outlineOf(blocks)).toEqual(['paragraph: Please fill in the form', 'formField: Name: Ada Lovelace']);
    expect(title).toBe('A form');
  });

  it('uses the labels of a drawing as figure text, separate from its caption', async () => {
    const page = new TestPage()
      .lines(60, 80, FILLER)
      .zigzag(100, 150, 400, 300, 12)
      .text(220, 220, 'Turnover')
      .text(100, 330, 'Figure 1: Turnover by year.');
    const { blocks } = await parsePdf(makePdf([page]));
    expect(outlineOf(blocks).slice(1)).toEqual(['figure: Turnover', 'caption: Figure 1: Turnover by year.']);
  });
});

it('drops a diagonal watermark', async () => {
  const page = new TestPage().lines(60, 80, FILLER).slanted(150, 500, 'CONFIDENTIAL', 60);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.text)).toEqual([FILLER.join(' ')]);
});

it('reads a list item whose text is far from its number', async () => {
  const lines = ['The dues are paid before anything is landed and before', 'a receipt is given to the master.'];
  const page = new TestPage().text(60, 100, '(a)').lines(95, 100, lines);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.text)).toEqual([`(a) ${lines.join(' ')}`]);
});

describe('tables', () => {
  it('reads a table without rules, with a heading row, currency signs and a wrapped cell', async () => {
    const rows = [
      ['Item', 'Price', 'Sold'],
      ['Tea', '4.50', '120'],
      ['Coffee from the', '', ''],
      ['highlands', '6.00', '75'],
      ['Milk', '1.20', '310'],
    ];
    const page = new TestPage().lines(60, 80, FILLER);
    rows.forEach((row, index) => {
      const y = 130 + index * 16;
      row.forEach((text, column) => page.text([60, 220, 320][column]!, y, text, index === 0 ? { font: 'bold' } : {}));
      if (index > 0 && row[1] !== '') page.text(205, y, '$');
    });
    const { blocks } = await parsePdf(makePdf([page]));
    const table = blocks.find((block) => block.type === 'table');
    expect(gridOf(table)[0]).toEqual(['Item', 'Price', 'Sold']);
    expect(gridOf(table)[1]).toEqual(['Tea', '$ 4.50', '120']);
    expect(gridOf(table).at(-1)).toEqual(['Milk', '$ 1.20', '310']);
    expect(table?.rows?.map((row) => row[0]?.header)).toEqual([
      true,
      ...gridOf(table)
        .slice(1)
        .map(() => false),
    ]);
  });

  it('does not detect text columns or a chart as a table', async () => {
    const chart = new TestPage()
      .grid([100, 200, 300, 400], [100, 150, 200, 250])
      .text(110, 270, '2001')
      .text(210, 270, '2002')
      .zigzag(100, 110, 400, 240, 9);
    const { blocks } = await parsePdf(makePdf([twoColumns(true), chart]));
    expect(blocks.filter((block) => block.type === 'table')).toEqual([]);
  });
});

describe('short documents', () => {
  it('keep text repeated on every page if there is no other', async () => {
    const pages = [1, 2].map((number) => new TestPage().text(60, 60, `Text on page ${number}`));
    const { blocks } = await parsePdf(makePdf(pages));
    expect(blocks.flatMap((block) => block.text ?? [])).toEqual(['Text on page 1', 'Text on page 2']);
  });
});

describe('files that cannot be read', () => {
  it('reports a file with a password as encrypted', async () => {
    await expect(parsePdf(makePdf([new TestPage().text(60, 80, 'secret')], { encrypted: true }))).rejects.toMatchObject(
      { name: 'ContentError', type: 'encrypted' },
    );
  });

  it('reports bytes that are not a PDF as corrupt', async () => {
    await expect(parsePdf(Buffer.from('%PDF-1.7\nnothing else'))).rejects.toMatchObject({
      name: 'ContentError',
      type: 'corrupt',
    });
  });

  it('reads a truncated file', async () => {
    const whole = makePdf([new TestPage().text(60, 80, 'still here')]);
    const { blocks } = await parsePdf(whole.subarray(0, whole.indexOf('xref')));
    expect(blocks.map((block) => block.text)).toEqual(['still here']);
  });

  it('stops between pages when the signal fires', async () => {
    const pages = [1, 2].map((number) => new TestPage().text(60, 80, `Page ${number}`));
    await expect(parsePdf(makePdf(pages), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

describe('thumbnail', () => {
  it('renders the first page as WebP within the requested size', async () => {
    const bytes = makePdf([new TestPage(300, 600).text(60, 80, 'Cover', { size: 40 })]);
    const picture = await withPdfFile(bytes, (file, context) => reader.thumbnail!(file, context, 512));
    const { format, width, height } = await sharp(picture!).metadata();
    expect([format, width, height]).toEqual(['webp', 256, 512]);
  });
});
