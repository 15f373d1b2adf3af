/** Maps quotes to boxes and proves them by reading the words under each box from the PDF again. */
import { expect, it } from 'vitest';
import { finishTree } from '@quire/blocks/finish-tree';
import { boxesOfRange, type PageBox } from '@quire/blocks/text-lines';
import { walkBlocks } from '@quire/blocks/walk';
import { approximateTokenCounter } from '@quire/text/chunk/approximate-token-counter';
import { chunkTree } from '@quire/text/chunk/chunk-tree';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { withPdfFile } from '../../formats/pdf/testing/parse-pdf.ts';
import { textUnder } from '../../formats/pdf/testing/text-under.ts';
import { reader } from '../../formats/pdf/pdf.ts';

interface Found {
  boxes: PageBox[];
  /** Text under each box. */
  texts: string[];
}

/** Returns the boxes of a quote, which are the same for its block and for its chunk. */
async function find(pages: readonly TestPage[], quote: string): Promise<Found> {
  return withPdfFile(makePdf(pages), async (file, context) => {
    const tree = finishTree(await reader.parse(file, context), null);
    const holders = [
      ...[...walkBlocks(tree.blocks)].map((block) => ({ text: block.text ?? '', place: block })),
      ...chunkTree(tree, { maxTokens: 320, overlapTokens: 0 }, approximateTokenCounter).map((chunk) => ({
        text: chunk.text,
        place: chunk.lines === undefined ? {} : { lines: chunk.lines },
      })),
    ].filter(({ text }) => text.includes(quote));
    const [first, ...others] = holders.map(({ text, place }) => {
      const start = text.indexOf(quote);
      return boxesOfRange(place, start, start + quote.length);
    });
    if (first === undefined || others.length === 0) throw new Error(`the quote is not in a block and a chunk`);
    for (const other of others) expect(other).toEqual(first);
    return { boxes: first, texts: await textUnder(file.path, first) };
  });
}

const PROSE = [
  'The harbour master keeps a book in which every ship that enters the',
  'port is written down with the day of its arrival, its home port, and',
  'the name of its owner. Smaller boats are listed in another volume that',
  'the pilots maintain. Both books are kept in the tower by the northern',
  'pier, where visitors may read them on any day except Sundays.',
];
const prose = (page: TestPage): TestPage => page.lines(60, 100, PROSE);

it('returns the single line of a quote', async () => {
  const { texts } = await find([prose(new TestPage())], 'with the day of its arrival');
  expect(texts).toEqual([PROSE[1]]);
});

it('returns each line of a sentence over several lines', async () => {
  const { texts } = await find([prose(new TestPage())], 'Smaller boats are listed in another volume that the pilots');
  expect(texts).toEqual([PROSE[2], PROSE[3]]);
});

it.each([90, 180, 270] as const)('maps quotes on a page rotated by %i degrees', async (rotation) => {
  const page = prose(new TestPage());
  page.rotation = rotation;
  const { texts } = await find([page], 'with the day of its arrival');
  expect(texts).toEqual([PROSE[1]]);
});

it('maps quotes on a cropped page', async () => {
  const page = prose(new TestPage());
  page.cropBox = [40, 400, 500, 800];
  const { boxes, texts } = await find([page], 'the name of its owner');
  expect(texts).toEqual([PROSE[2]]);
  // The baseline is 82 points below the top of the visible 400.
  expect(boxes[0]?.box[1]).toBeGreaterThan(0.18);
  expect(boxes[0]?.box[3]).toBeLessThan(0.22);
});

it('maps quotes on a page with rotated text', async () => {
  const page = new TestPage(842, 595);
  PROSE.forEach((line, index) => page.sideways(100 + index * 12, 500, line));
  const { texts } = await find([page], 'with the day of its arrival');
  expect(texts).toEqual([PROSE[1]]);
});

it('maps quotes on a slide', async () => {
  const title = 'The harbour in numbers';
  const bullets = [
    'Ships that enter the port are counted at the northern pier',
    'Pilots count the smaller boats in another volume',
  ];
  const slide = new TestPage(960, 540).text(60, 90, title, { size: 40 });
  bullets.forEach((line, index) => slide.text(80, 200 + 60 * index, line, { size: 24 }));
  expect((await find([slide], 'are counted at the northern pier')).texts).toEqual([bullets[0]]);
  expect((await find([slide], 'the smaller boats')).texts).toEqual([bullets[1]]);
});

it('keeps to the column of a quote', async () => {
  const left = [
    'The first column is about rivers and',
    'about the towns along their banks that',
    'grew rich with the trade in timber.',
  ];
  const right = [
    'The second column is about mountains',
    'and the snow that closed every pass',
    'from November until the end of March.',
  ];
  const page = new TestPage().lines(60, 100, left).lines(320, 100, right);
  expect((await find([page], 'the snow that closed')).texts).toEqual([right[1]]);
  expect((await find([page], 'their banks that grew rich')).texts).toEqual([left[1], left[2]]);
});

it('returns boxes on both pages of a sentence over a page break', async () => {
  const first = new TestPage().lines(60, 760, PROSE.slice(0, 2));
  const second = new TestPage().lines(60, 80, PROSE.slice(2));
  const { boxes, texts } = await find([first, second], 'its home port, and the name of its owner');
  expect(boxes.map(({ page }) => page)).toEqual([1, 2]);
  expect(texts).toEqual([PROSE[1], PROSE[2]]);
});

it('maps both parts of a hyphenated word', async () => {
  const lines = ['The officials of the harbour have kept the docu-', 'ments in the northern tower for many years now.'];
  const { texts } = await find([new TestPage().lines(60, 100, lines)], 'the documents in');
  expect(texts).toEqual(lines);
});

it('maps list items without their markers', async () => {
  const page = prose(new TestPage()).lines(60, 200, [
    '1. Ropes and sails',
    '2. Anchors and chains',
    '3. Lamps and oil',
  ]);
  const { texts } = await find([page], 'Anchors and chains');
  expect(texts).toEqual(['2. Anchors and chains']);
});

it('maps right-to-left text', async () => {
  // The font maps a..z to Hebrew letters, drawn left to right.
  const page = new TestPage();
  const lines = ['abcde fghij klmno', 'pqrst uvwxy zabcd'];
  lines.forEach((line, index) => page.text(300, 100 + 40 * index, line, { font: 'hebrew' }));
  const hebrew = (text: string): string =>
    Array.from(text, (letter) => (letter === ' ' ? ' ' : String.fromCodePoint(letter.charCodeAt(0) - 97 + 0x5d0))).join(
      '',
    );
  const { texts } = await find([page], hebrew('edcba'));
  expect(texts.map((text) => Array.from(text).toSorted().join('').trim())).toEqual([
    Array.from(hebrew(lines[0] ?? ''))
      .toSorted()
      .join('')
      .trim(),
  ]);
});

it('gives table cells their own boxes, also in chunks', async () => {
  const page = prose(new TestPage()).grid([60, 200, 330], [200, 220, 240, 260]);
  const rows = [
    ['Berth', 'Length'],
    ['North pier', '120 metres'],
    ['Old basin', '85 metres'],
  ];
  rows.forEach((cells, row) => cells.forEach((text, column) => page.text(66 + 140 * column, 214 + 20 * row, text)));
  const found = await withPdfFile(makePdf([page]), async (file, context) => {
    const tree = finishTree(await reader.parse(file, context), null);
    const [chunk] = chunkTree(tree, { maxTokens: 320, overlapTokens: 0 }, approximateTokenCounter).filter(({ text }) =>
      text.includes('Old basin'),
    );
    const start = chunk?.text.indexOf('85 metres') ?? 0;
    return textUnder(file.path, boxesOfRange({ lines: chunk?.lines ?? [] }, start, start + 9));
  });
  expect(found).toEqual(['85 metres']);
});
