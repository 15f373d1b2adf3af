// large: recognises whole pages
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { closeOcr, recognisePicture } from '../../../ocr/ocr.ts';
import { PARAGRAPH, paragraphPicture } from '../../../ocr/testing/text-picture.ts';
import { withPdf } from '../document.ts';
import { longSideOf, newTextOf } from './recognise-page.ts';
import { makePdf, TestPage } from '../testing/make-pdf.ts';
import { parsePdf, withPdfFile } from '../testing/parse-pdf.ts';

afterAll(() => closeOcr());

async function scannedPage(): Promise<TestPage> {
  const { data, info } = await sharp(await paragraphPicture())
    .jpeg({ quality: 90 })
    .toBuffer({ resolveWithObject: true });
  return new TestPage(620, 450).scan(data, info);
}

it('recognises scanned pages and keeps the text of the others', async () => {
  const bytes = makePdf([new TestPage().text(60, 80, 'A page with text of its own'), await scannedPage()]);
  const { blocks } = await parsePdf(bytes, { ocr: 'auto' });
  expect(blocks.map((block) => [block.page, block.text])).toEqual([
    [1, 'A page with text of its own'],
    [2, PARAGRAPH.join(' ')],
  ]);
});

it('maps each line of a recognised paragraph to its place in the scan', async () => {
  const picture = await paragraphPicture();
  const page = await scannedPage();
  const { blocks } = await parsePdf(makePdf([page]), { ocr: 'auto' });
  const lines = blocks.find((block) => block.text === PARAGRAPH.join(' '))?.lines ?? [];
  expect(lines.map(({ start, end }) => PARAGRAPH.join(' ').slice(start, end))).toEqual(PARAGRAPH);
  const { width, height } = await sharp(picture).metadata();
  for (const [index, { box }] of lines.entries()) {
    const [x0, y0, x1, y1] = [box[0] * width, box[1] * height, box[2] * width, box[3] * height];
    const region = {
      left: Math.round(x0),
      top: Math.round(y0),
      width: Math.round(x1 - x0),
      height: Math.round(y1 - y0),
    };
    const crop = await sharp(picture)
      .extract(region)
      .extend({ top: 20, bottom: 20, left: 20, right: 20, background: '#fff' })
      .png()
      .toBuffer();
    const request = { languages: ['eng'], signal: new AbortController().signal, maxPixels: 1e7 };
    const { words } = await recognisePicture({ data: crop, dpi: 300 }, request);
    expect(words.map(({ text }) => text).join(' ')).toBe(PARAGRAPH[index]);
  }
});

it('recognises a page whose fonts do not name their letters, with a warning', async () => {
  const page = new TestPage();
  const lines = [
    'the harbour master keeps a book in which',
    'every ship that enters the port is written',
    'down with the day of its arrival and the',
    'name of the owner in a clear round hand',
  ];
  lines.forEach((line, index) => page.text(60, 100 + 24 * index, line, { size: 16, font: 'garbled' }));
  const bytes = makePdf([page]);
  const recognised = await parsePdf(bytes, { ocr: 'auto' });
  expect(recognised.blocks.map(({ text }) => text)).toEqual([lines.join(' ')]);
  expect(recognised.warnings.map(({ type, pages }) => [type, pages])).toEqual([['low_confidence', [1]]]);
  const unread = await parsePdf(bytes, { ocr: 'never' });
  expect(unread.blocks[0]?.text).not.toContain('harbour');
  expect(unread.warnings.map(({ type, pages }) => [type, pages])).toEqual([['low_confidence', [1]]]);
});

it('does not recognise pictures if OCR is off', async () => {
  const { blocks } = await parsePdf(makePdf([await scannedPage()]), { ocr: 'never' });
  expect(blocks.filter((block) => block.text !== undefined)).toEqual([]);
});

it('keeps only recognised text that is missing from the text layer', () => {
  const style = { name: 'Test', bold: false, italic: false, monospace: false };
  const words = ['Leaders', 'speak'].map((text) => ({
    text,
    x0: 0,
    y0: 0,
    x1: 9,
    y1: 9,
    baseline: 8,
    size: 9,
    style,
    glued: false,
    angle: 0,
  }));
  const blocks = [
    { type: 'paragraph' as const, page: 1, text: 'leaders SPEAK' },
    { type: 'heading' as const, level: 1, page: 1, text: 'The Vision' },
  ];
  expect(newTextOf(blocks, words)).toEqual([{ type: 'figure', page: 1, text: 'The Vision' }]);
});

describe('longSideOf', () => {
  const longSide = (page: TestPage): Promise<number | undefined> =>
    withPdfFile(makePdf([page]), ({ path }) =>
      withPdf(path, async (document) => document.withPage(0, (handle) => longSideOf(document.pdfium, handle))),
    );
  const jpeg = async (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#ccc' } })
      .jpeg()
      .toBuffer({ resolveWithObject: true });

  it.each([
    ['that of A4 for a coarse scan', 1000, 1250, 3300],
    ['its own for a finer scan', 3000, 3750, 3750],
    ['the limit for a scan beyond it', 4000, 5000, 4700],
  ])('is %s', async (_, width, height, expected) => {
    const { data, info } = await jpeg(width, height);
    expect(await longSide(new TestPage(1800, 2250).scan(data, info))).toBe(expected);
  });

  it('is the limit for a page without a picture', async () => {
    expect(await longSide(new TestPage(1800, 2250).text(60, 60, 'Text'))).toBe(4700);
  });
});
