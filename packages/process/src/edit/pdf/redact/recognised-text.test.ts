// large: recognises whole pages
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { PDFDocument } from '@cantoo/pdf-lib';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import { editBytes } from '../../testing/edit-bytes.ts';

const [WIDTH, HEIGHT] = [1240, 1754];
const LINES = [
  'The heron waits in the shallow water.',
  'Its name is Gertrude, number 4711.',
  'Nobody comes to the harbour.',
];
const options = { ocr: 'auto', ocrLanguages: ['eng'], jpegQuality: 85, maxPixels: 20_000_000 } as const;

/** A scan of the lines at 150 dpi; the line with number n has its baseline at 200 + 100n pixels. */
async function scannedPage(): Promise<TestPage> {
  const text = LINES.map((line, index) => `<text x="120" y="${200 + 100 * index}" font-size="40">${line}</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif"><rect width="100%" height="100%" fill="#fff"/>${text.join('')}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).jpeg({ quality: 90 }).toBuffer({ resolveWithObject: true });
  return new TestPage().scan(data, info);
}

/** Returns the share of black pixels of a line of the scan. */
async function blackShare(file: Uint8Array, line: number): Promise<number> {
  const image = (await PDFDocument.load(file)).context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .find((object) => object.toString().includes('/Subtype /Image')) as unknown as { contents: Uint8Array };
  const region = { left: 120, top: 165 + 100 * line, width: 700, height: 40 };
  const { data } = await sharp(image.contents).greyscale().extract(region).raw().toBuffer({ resolveWithObject: true });
  return data.filter((value) => value < 30).length / data.length;
}

it('blacks out text of a scan that OCR reads, and says that words may be misread', async () => {
  const bytes = makePdf([new TestPage().text(60, 80, 'Gertrude has text of her own'), await scannedPage()]);
  const redact = { type: 'redact', texts: ['Gertrude'], patterns: [String.raw`\d{4}`] };
  const { files, operations } = await editBytes(bytes, 'pdf', [redact], 'application/pdf', options);
  expect(operations).toEqual([
    {
      type: 'redact',
      changes: 3,
      pages: [1, 2],
      notes: ['Searched in text recognised from pictures, which may misread words: pages 2'],
    },
  ]);
  const before = await Promise.all([0, 1, 2].map((line) => blackShare(bytes, line)));
  const after = await Promise.all([0, 1, 2].map((line) => blackShare(files[0]!, line)));
  expect(after[1]! - before[1]!).toBeGreaterThan(0.2);
  expect(Math.abs(after[0]! - before[0]!)).toBeLessThan(0.02);
  expect(Math.abs(after[2]! - before[2]!)).toBeLessThan(0.02);
});

it('does not recognise scans if OCR is off', async () => {
  const redact = { type: 'redact', texts: ['Gertrude'] };
  const given = { ...options, ocr: 'never' } as const;
  const bytes = makePdf([await scannedPage()]);
  const { operations } = await editBytes(bytes, 'pdf', [redact], 'application/pdf', given);
  expect(operations[0]).toMatchObject({ changes: 0, notes: ['No text to search (blank or scanned): pages 1'] });
});
