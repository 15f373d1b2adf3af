// large: recognises whole pages
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { OcrEngine } from './engines/ocr-engine.ts';
import { closeOcr, recognisePicture } from './ocr.ts';
import type { RecognisedPicture } from './ocr.ts';
import { findTesseractProgram } from './engines/tesseract-program.ts';
import { createWasmEngine } from './engines/tesseract-wasm.ts';
import { PARAGRAPH, paragraphPicture } from './testing/text-picture.ts';
import { blocksOfPictures } from './testing/blocks-of-pictures.ts';

const program = await findTesseractProgram({ tessdataDir: null });
const wasm = createWasmEngine({ tessdataDir: null });
const { signal } = new AbortController();
const request = { languages: ['eng'], signal, maxPixels: 100_000_000 };
const textOf = ({ words }: RecognisedPicture): string => words.map((word) => word.text).join(' ');

afterAll(() => wasm.close());

const engines: [string, OcrEngine | null][] = [
  ['the WASM build', wasm],
  ['the tesseract program', program?.missingLanguage(['eng', 'osd']) === null ? program : null],
];

describe.each(engines)('OCR by %s', (_, engine) => {
  const check = engine === null ? it.skip : it;
  const read = (data: Buffer): Promise<RecognisedPicture> =>
    recognisePicture({ data }, { ...request, engine: engine ?? wasm });

  check('reads a clean page word by word', async () => {
    const recognised = await read(await paragraphPicture());
    expect(textOf(recognised)).toBe(PARAGRAPH.join(' '));
    expect(recognised.turn).toBe(0);
    expect(blocksOfPictures([recognised]).map((block) => block.text)).toEqual([PARAGRAPH.join(' ')]);
  });

  check.each([
    [90, 3],
    [180, 2],
    [270, 1],
  ])('corrects a page rotated by %i degrees', async (degrees, turn) => {
    const recognised = await read(
      await sharp(await paragraphPicture())
        .rotate(degrees)
        .png()
        .toBuffer(),
    );
    expect(textOf(recognised)).toBe(PARAGRAPH.join(' '));
    expect(recognised.turn).toBe(turn);
  });

  check('deskews a page by 5 degrees', async () => {
    const askew = await sharp(await paragraphPicture())
      .rotate(5, { background: '#fff' })
      .png()
      .toBuffer();
    expect(textOf(await read(askew))).toBe(PARAGRAPH.join(' '));
  });

  check('finds no text in a blank picture', async () => {
    const blank = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect((await read(blank)).words).toEqual([]);
  });

  check('reports missing language data', async () => {
    const reading = recognisePicture(
      { data: await paragraphPicture() },
      { ...request, languages: ['eng', 'xyz'], engine: engine ?? wasm },
    );
    await expect(reading).rejects.toMatchObject({ type: 'unsupported', message: expect.stringContaining('"xyz"') });
  });

  check('stops when the signal fires, and works again afterwards', async () => {
    const controller = new AbortController();
    const reason = new Error('no longer needed');
    controller.abort(reason);
    const data = await paragraphPicture();
    const reading = recognisePicture({ data }, { ...request, signal: controller.signal, engine: engine ?? wasm });
    await expect(reading).rejects.toBe(reason);
    expect((await read(data)).words.length).toBeGreaterThan(40);
  });
});

describe('recognisePicture', () => {
  it('reports bytes that are not an image as corrupt', async () => {
    const reading = recognisePicture({ data: Buffer.from('no picture') }, { ...request, engine: wasm });
    await expect(reading).rejects.toMatchObject({ type: 'corrupt' });
  });

  it('reads with the language data of a folder without config files', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'quire-tessdata-'));
    const require = createRequire(import.meta.url);
    const packaged = path.dirname(require.resolve('@tesseract.js-data/eng/package.json'));
    const zipped = readFileSync(path.join(packaged, '4.0.0_best_int', 'eng.traineddata.gz'));
    await writeFile(path.join(folder, 'own.traineddata'), gunzipSync(zipped));
    const settings = { ...request, languages: ['own'], tessdataDir: folder };
    expect(textOf(await recognisePicture({ data: await paragraphPicture() }, settings))).toBe(PARAGRAPH.join(' '));
    await closeOcr();
    await rm(folder, { recursive: true });
  });

  const scan = fileURLToPath(
    new URL('../../../../../shared/eval/data/parsing/tesseract-scans/phototest.tif', import.meta.url),
  );
  it.skipIf(!existsSync(scan))('reads a real scan without an error (needs ../shared)', async () => {
    const words = textOf(await recognisePicture({ data: readFileSync(scan) }, { ...request, engine: wasm }));
    expect(words).toBe(readFileSync(`${scan}.gold.txt`, 'utf8').replaceAll(/\s+/g, ' ').trim());
  });
});
