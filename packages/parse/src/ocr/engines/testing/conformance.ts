/** The behaviour that every OCR engine must have, as tests. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { blocksOfPictures } from '../../testing/blocks-of-pictures.ts';
import { PARAGRAPH, paragraphPicture } from '../../testing/text-picture.ts';
import { recognisePicture, type OcrRequest, type RecognisedPicture } from '../../ocr.ts';
import type { OcrEngine } from '../ocr-engine.ts';

const { signal } = new AbortController();
export const request: OcrRequest = { languages: ['eng'], signal, maxPixels: 100_000_000 };
export const textOf = ({ words }: RecognisedPicture): string => words.map((word) => word.text).join(' ');

/** Declares the tests of one engine; null skips them, for an engine that is not installed. */
export function testOcrEngine(name: string, engine: OcrEngine | null): void {
  describe(`OCR by ${name}`, () => {
    const check = engine === null ? it.skip : it;
    const read = (data: Buffer): Promise<RecognisedPicture> =>
      recognisePicture({ data }, { ...request, engine: engine ?? undefined });

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
        { ...request, languages: ['eng', 'xyz'], engine: engine ?? undefined },
      );
      await expect(reading).rejects.toMatchObject({ type: 'unsupported', message: expect.stringContaining('"xyz"') });
    });

    check('stops when the signal fires, and works again afterwards', async () => {
      const controller = new AbortController();
      const reason = new Error('no longer needed');
      controller.abort(reason);
      const data = await paragraphPicture();
      const reading = recognisePicture(
        { data },
        { ...request, signal: controller.signal, engine: engine ?? undefined },
      );
      await expect(reading).rejects.toBe(reason);
      expect((await read(data)).words.length).toBeGreaterThan(40);
    });

    check('returns words with boxes inside of the picture, lines from top to bottom and confidences', async () => {
      const { words, width, height } = await read(await paragraphPicture());
      for (const { bbox, confidence } of words) {
        const [x0, y0, x1, y1] = bbox;
        expect([x0 >= 0, y0 >= 0, x0 < x1, y0 < y1, x1 <= width, y1 <= height]).toEqual(Array(6).fill(true));
        expect(confidence).toBeGreaterThan(0.5);
        expect(confidence).toBeLessThanOrEqual(1);
      }
      expect([...new Set(words.map(({ line }) => line))]).toEqual([0, 1, 2, 3, 4]);
      expect(
        words
          .filter(({ line }) => line === 1)
          .map(({ text }) => text)
          .join(' '),
      ).toBe(PARAGRAPH[1]);
    });
  });
}
