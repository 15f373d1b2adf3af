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
import { closeOcr, recognisePicture } from './ocr.ts';
import { findPpOcr } from './engines/pp-ocr/model-files.ts';
import { PpOcr } from './engines/pp-ocr/pp-ocr.ts';
import { findTesseractProgram } from './engines/tesseract-program.ts';
import { createWasmEngine } from './engines/tesseract-wasm.ts';
import { request, testOcrEngine, textOf } from './engines/testing/conformance.ts';
import { PARAGRAPH, paragraphPicture, textPicture } from './testing/text-picture.ts';

const program = await findTesseractProgram({ tessdataDir: null });
const wasm = createWasmEngine({ tessdataDir: null });
const files = await findPpOcr();
const neural = files && new PpOcr(files, (image, signal) => wasm.orientation(image, signal));

afterAll(async () => {
  await wasm.close();
  await neural?.close();
});

testOcrEngine('the WASM build of Tesseract', wasm);
testOcrEngine('the tesseract program', program?.missingLanguage(['eng', 'osd']) === null ? program : null);
testOcrEngine('PP-OCR', neural);

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

  // Each page has less than the 50 characters for which Tesseract detects a rotation.
  it.skipIf(neural === null).each([
    ['Cyrillic', ['Смотритель порта ведёт книгу,', 'в которую пишут судно']],
    ['Hebrew', ['מנהל הנמל מחזיק ספר שבו נרשמת', 'כל ספינה גדולה יחד עם יום', 'ההגעה ונמל הבית שלה.']],
    ['Arabic', ['يحتفظ مدير الميناء بكتاب تسجل فيه', 'كل سفينة كبيرة مع يوم وصولها', 'وميناء موطنها الأصلي.']],
    ['Devanagari', ['बंदरगाह का मुखिया एक किताब रखता है', 'जिसमें हर बड़े जहाज का नाम आने के']],
  ])('names the %s script of a page that PP-OCR does not read', async (script, lines) => {
    const data = await textPicture(lines.map((text, index) => ({ text, x: 80, y: 140 + index * 60, size: 40 })));
    const recognised = await recognisePicture({ data }, { ...request, engine: neural ?? undefined });
    expect([textOf(recognised), recognised.recognition.foreignScript]).toEqual(['', script]);
  });

  it.skipIf(neural === null)('reads a Chinese name within a line of Latin letters', async () => {
    const name = await sharp(fileURLToPath(new URL('testing/chinese-page.png', import.meta.url)))
      .extract({ left: 38, top: 28, width: 173, height: 42 })
      .toBuffer();
    const lines = PARAGRAPH.map((text, index) => ({ text, x: 80, y: 140 + index * 60, size: 40 }));
    const last = [
      { text: 'Asked by', x: 80, y: 500, size: 40 },
      { text: 'in May he said so', x: 480, y: 500, size: 40 },
    ];
    const data = await sharp(await textPicture([...lines, ...last]))
      .composite([{ input: name, left: 280, top: 464 }])
      .png()
      .toBuffer();
    const recognised = await recognisePicture({ data }, { ...request, engine: neural ?? undefined });
    expect(textOf(recognised)).toBe([...PARAGRAPH, 'Asked by 港口管理员 in May he said so'].join(' '));
  });

  const scan = fileURLToPath(
    new URL('../../../../../shared/eval/data/parsing/tesseract-scans/phototest.tif', import.meta.url),
  );
  it.skipIf(!existsSync(scan))('reads a real scan without an error (needs ../shared)', async () => {
    const words = textOf(await recognisePicture({ data: readFileSync(scan) }, { ...request, engine: wasm }));
    expect(words).toBe(readFileSync(`${scan}.gold.txt`, 'utf8').replaceAll(/\s+/g, ' ').trim());
  });
});
