import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { closeOcr } from '../../../ocr/ocr.ts';
import { PARAGRAPH, paragraphPicture } from '../../../ocr/testing/text-picture.ts';
import { newTextOf } from './recognise-page.ts';
import { makePdf, TestPage } from '../testing/make-pdf.ts';
import { parsePdf } from '../testing/parse-pdf.ts';

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
