// large: starts a browser
/** Marks on page pictures hold the words that were found, on pages of every geometry. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createCollection } from '../../factories.ts';
import { ROOT_KEY } from '../../server.ts';
import { proveInConsole } from './proof.ts';
import { slideDeck } from './slide-deck.ts';

type Box = readonly [x0: number, y0: number, x1: number, y1: number];

const [WIDTH, HEIGHT] = [600, 800];
const [X, BASELINE] = [60, 320];
/** Distance of lines, and size of the letters, in points. */
const [LEADING, SIZE] = [12, 10];
const WORDS = 'those with a walrus are marked for';
const LINES = ['A paragraph has several lines, and only', WORDS, 'readers of it.'];
/** Width of the words in Helvetica, measured with its metrics, roughly. */
const WORDS_WIDTH = 150;
/** Share of other lines that a mark may hold, in lines. */
const MAX_OTHERS = 1.5;

/** Box of the words on the page as it is written, in points from the top left corner. */
const WRITTEN: Box = [X, BASELINE - SIZE * 0.75, X + WORDS_WIDTH, BASELINE + SIZE * 0.2];
const paragraph = (page: TestPage): TestPage => page.lines(X, BASELINE - LEADING, LINES);

/** Turns a box with its page clockwise, and returns it in shares of the page as it is displayed. */
function displayed([x0, y0, x1, y1]: Box, rotation: number): Box {
  const turned: Record<number, Box> = {
    0: [x0 / WIDTH, y0 / HEIGHT, x1 / WIDTH, y1 / HEIGHT],
    90: [1 - y1 / HEIGHT, x0 / WIDTH, 1 - y0 / HEIGHT, x1 / WIDTH],
    180: [1 - x1 / WIDTH, 1 - y1 / HEIGHT, 1 - x0 / WIDTH, 1 - y0 / HEIGHT],
    270: [y0 / HEIGHT, 1 - x1 / WIDTH, y1 / HEIGHT, 1 - x0 / WIDTH],
  };
  return turned[rotation]!;
}

interface Case {
  name: string;
  body: () => Promise<Buffer> | Buffer;
  type: string;
  page: number;
  expected: Box;
  /** Height of a line, in shares of the page across the lines. */
  lineHeight: number;
  isUpright: boolean;
  /** Part of the page that holds only the words; they are where the picture has ink there, in place of `expected`. */
  inkIn?: Box;
}

const pdf = (name: string, pages: () => TestPage[], more: Partial<Case> = {}): Case => ({
  name: `${name}.pdf`,
  body: () => makePdf(pages()),
  type: 'application/pdf',
  page: 1,
  expected: displayed(WRITTEN, 0),
  lineHeight: LEADING / HEIGHT,
  isUpright: true,
  ...more,
});

const rotated = (rotation: 90 | 180 | 270): Case =>
  pdf(
    `rotated-${rotation}`,
    () => {
      const page = paragraph(new TestPage(WIDTH, HEIGHT));
      page.rotation = rotation;
      return [page];
    },
    { expected: displayed(WRITTEN, rotation), isUpright: rotation === 180 },
  );

const CROP: Box = [40, 300, 440, 700];

const cropped = pdf(
  'cropped',
  () => {
    const page = paragraph(new TestPage(WIDTH, HEIGHT));
    page.cropBox = CROP;
    return [page];
  },
  {
    expected: WRITTEN.map((value, index) =>
      index % 2 === 0 ? (value - CROP[0]) / 400 : (value - (HEIGHT - CROP[3])) / 400,
    ) as unknown as Box,
    lineHeight: LEADING / 400,
  },
);

const columns = pdf(
  'columns',
  () => {
    const filler = Array.from({ length: 20 }, (_, index) => `Line ${index} of another column and text`);
    const page = new TestPage(WIDTH, HEIGHT).lines(60, 200, filler).lines(330, 200, filler.slice(0, 9));
    return [page.lines(330, 200 + 9 * LEADING, LINES).lines(330, 200 + 12 * LEADING, filler.slice(12))];
  },
  {
    expected: displayed([330, 200 + 10 * LEADING - SIZE * 0.75, 330 + WORDS_WIDTH, 200 + 10 * LEADING + SIZE * 0.2], 0),
  },
);

const hasLibreOffice = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .some((folder) => existsSync(path.join(folder, 'soffice')));

const SCALE = 2.5;

const scan: Case = pdf('scan', () => [], {
  body: async () => {
    const text = LINES.map(
      (each, index) =>
        `<text x="${X}" y="${BASELINE + (index - 1) * 24}" font-size="16" font-family="DejaVu Sans">${each}</text>`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="600" height="800" fill="#fff"/>${text.join('')}</svg>`;
    const size = { width: WIDTH * SCALE, height: HEIGHT * SCALE };
    const jpeg = await sharp(Buffer.from(svg), { density: 72 * SCALE })
      .resize(size)
      .jpeg({ quality: 92 })
      .toBuffer();
    return makePdf([new TestPage(WIDTH, HEIGHT).scan(jpeg, size)]);
  },
  expected: displayed([X, BASELINE - 12, X + 240, BASELINE + 3], 0),
  lineHeight: 24 / HEIGHT,
});

const slide: Case = pdf('slide', () => [], {
  name: 'slide.pptx',
  type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  body: () =>
    slideDeck({
      title: 'Animals of the sea',
      entries: [
        ['Seals and their kin', 0],
        ['Whales of the north', 0],
        ['Dolphins', 1],
      ],
      box: WORDS,
    }),
  inkIn: [0.5, 0.75, 1, 1],
  // 18 points of 540.
  lineHeight: (18 * 1.2) / 540,
});

const last = (): TestPage => new TestPage(WIDTH, HEIGHT).lines(X, BASELINE - LEADING, LINES);
const second = pdf('second-page', () => [new TestPage(WIDTH, HEIGHT).text(60, 100, 'A first page.'), last()], {
  page: 2,
});

const DARK = 128;

/** Returns the box around the dark points of a part of a page, as the service draws it. */
async function inkOf(url: string, [x0, y0, x1, y1]: Box): Promise<Box> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${ROOT_KEY}` } });
  const body = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-type'), body.toString('utf8', 0, 500)).toBe('image/webp');
  const { data, info } = await sharp(body).greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = Math.round(y0 * height); y < y1 * height; y += 1)
    for (let x = Math.round(x0 * width); x < x1 * width; x += 1)
      if (data[(y * width + x) * channels]! < DARK) {
        xs.push(x);
        ys.push(y);
      }
  const range = (all: readonly number[]): [number, number] => [
    all.reduce((least, each) => Math.min(least, each), Infinity),
    all.reduce((most, each) => Math.max(most, each), 0) + 1,
  ];
  const [[left, right], [top, bottom]] = [range(xs), range(ys)];
  return [left / width, top / height, right / width, bottom / height];
}

proveInConsole('marks on pages', (tests) => {
  const prove = async ({ name, body, type, page: number, lineHeight, isUpright, ...words }: Case): Promise<void> => {
    const { service, workspace } = tests;
    const collection = await createCollection(service, workspace, { name });
    const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
    const answer = await service.call('POST', `${collection.url}/docs/file-binary?wait=60`, {
      body: new Uint8Array(await body()),
      headers,
    });
    expect(answer.data).toMatchObject({ status: 'ready' });
    const expected =
      words.inkIn === undefined
        ? words.expected
        : await inkOf(
            `${service.address}${collection.url}/docs/${String(answer.data['id'])}/pages/${number}`,
            words.inkIn,
          );
    const shown = await tests.open(`/search?q=walrus&in=${collection.id}`);
    const { page } = shown;
    await page.getByRole('link', { name }).first().click();
    const figure = page.getByRole('figure', { name: `Page ${number}`, exact: true });
    await figure.locator('rect[data-kind=mark]').first().waitFor();
    const frame = (await figure.boundingBox())!;
    const marks = await figure.locator('rect[data-kind=mark]').all();
    const boxes = await Promise.all(
      marks.map(async (mark): Promise<Box> => {
        const { x, y, width, height } = (await mark.boundingBox())!;
        const [left, top] = [(x - frame.x) / frame.width, (y - frame.y) / frame.height];
        return [left, top, left + width / frame.width, top + height / frame.height];
      }),
    );
    const [x0, y0, x1, y1] = [0, 1, 2, 3].map((side) =>
      (side < 2 ? Math.min : Math.max)(...boxes.map((box) => box[side as 0])),
    ) as unknown as Box;
    // Along the lines the mark holds the middle half of the words, across them it holds their middle.
    const along = isUpright
      ? ([x0, x1, expected[0], expected[2]] as const)
      : ([y0, y1, expected[1], expected[3]] as const);
    const across = isUpright
      ? ([y0, y1, expected[1], expected[3]] as const)
      : ([x0, x1, expected[0], expected[2]] as const);
    const quarter = (along[3] - along[2]) / 4;
    expect([along[0] <= along[2] + quarter, along[1] >= along[3] - quarter], `along ${along.join(' ')}`).toEqual([
      true,
      true,
    ]);
    const middle = (across[2] + across[3]) / 2;
    expect([across[0] < middle, across[1] > middle], `across ${across.join(' ')}`).toEqual([true, true]);
    expect(across[1] - across[0], 'height').toBeLessThanOrEqual(across[3] - across[2] + MAX_OTHERS * lineHeight);
    await tests.close(shown);
  };
  test.each([rotated(90), rotated(180), rotated(270), cropped, columns, second, scan])(
    'hold the words and little else: $name',
    prove,
  );
  // Only LibreOffice draws the pages of office files.
  test.skipIf(!hasLibreOffice)('hold the words and little else on a slide that LibreOffice draws (needs soffice)', () =>
    prove(slide),
  );

  test('words of a chunk over two pages are marked on both', async () => {
    const { service, workspace } = tests;
    const collection = await createCollection(service, workspace, { name: 'Two pages' });
    const body = makePdf([
      new TestPage(WIDTH, HEIGHT).lines(X, 700, [
        'The paragraph begins at the end of a page with a walrus and goes',
        'on',
      ]),
      new TestPage(WIDTH, HEIGHT).lines(X, 80, ['at the top of the next page, where a lantern is the last thing.']),
    ]);
    const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="two.pdf"' };
    const answer = await service.call('POST', `${collection.url}/docs/file-binary?wait=60`, { body, headers });
    expect(answer.data).toMatchObject({ status: 'ready', chunkCount: 1 });
    const shown = await tests.open(`/search?q=${encodeURIComponent('walrus lantern')}&in=${collection.id}`);
    const { page } = shown;
    await page.getByRole('link', { name: 'two.pdf' }).first().click();
    const middles: number[][] = [];
    for (const number of [1, 2]) {
      const figure = page.getByRole('figure', { name: `Page ${number}`, exact: true });
      const marks = figure.locator('rect[data-kind=mark]');
      await marks.first().waitFor();
      const frame = (await figure.boundingBox())!;
      const boxes = await Promise.all((await marks.all()).map((mark) => mark.boundingBox()));
      middles.push(boxes.map((box) => Math.round(((box!.y + box!.height / 2 - frame.y) / frame.height) * HEIGHT)));
      await page.locator('body').press(']');
    }
    // Baselines are 700 and 80; the middle of a line is a third of its size above.
    expect(middles.map((each) => each.length)).toEqual([1, 1]);
    expect(Math.abs(middles[0]![0]! - 697)).toBeLessThanOrEqual(4);
    expect(Math.abs(middles[1]![0]! - 77)).toBeLessThanOrEqual(4);
    await tests.close(shown);
  });
});
