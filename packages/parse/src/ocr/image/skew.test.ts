// large: recognises whole pages
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fromSharp } from './grey-picture.ts';
import { measureSkew, measureTextDirection, type TextDirection } from './skew.ts';
import { paragraphPicture } from '../testing/text-picture.ts';

async function measured(data: Buffer): Promise<number> {
  return measureSkew(await fromSharp(sharp(data), undefined));
}

describe('measureSkew', () => {
  it.each([-14, -5, -3, -0.5, 0.5, 3, 6, 14])(
    'measures the rotation that corrects a skew of %s degrees',
    async (degrees) => {
      const askew = await sharp(await paragraphPicture())
        .rotate(degrees, { background: '#fff' })
        .png()
        .toBuffer();
      expect(Math.abs((await measured(askew)) + degrees)).toBeLessThanOrEqual(0.3);
    },
  );

  it('returns 0 for straight pages and pictures without text lines', async () => {
    expect(await measured(await paragraphPicture())).toBe(0);
    const noise = Buffer.from(
      Uint8Array.from({ length: 400 * 400 }, (_, index) => (index * 7919 * (index % 31)) % 256),
    );
    const picture = await sharp(noise, { raw: { width: 400, height: 400, channels: 1 } })
      .png()
      .toBuffer();
    expect(await measured(picture)).toBe(0);
    const blank = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect(await measured(blank)).toBe(0);
  });
});

describe('measureSlant', () => {
  const slant = async (data: Buffer): Promise<TextDirection> =>
    measureTextDirection(await fromSharp(sharp(data), undefined));
  const turned = async (degrees: number): Promise<Buffer> =>
    sharp(await paragraphPicture())
      .rotate(degrees, { background: '#fff' })
      .png()
      .toBuffer();

  it('distinguishes vertical from horizontal text', async () => {
    const answers = await Promise.all([0, 90, 180, 270].map(async (degrees) => slant(await turned(degrees))));
    expect(answers.map(({ isVertical }) => isVertical)).toEqual([false, true, false, true]);
  });

  it.each([
    [8, false],
    [-12, false],
    [97, true],
    [262, true],
  ])('detects the direction of skewed lines, rotated by %i degrees', async (degrees, isVertical) => {
    const answer = await slant(await turned(degrees));
    expect(answer.isVertical).toBe(isVertical);
    expect(Math.abs(answer.degrees + (((degrees + 45) % 90) - 45))).toBeLessThanOrEqual(0.3);
  });

  it('finds no lines in a blank picture', async () => {
    const blank = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect(await slant(blank)).toEqual({ isVertical: false, degrees: 0 });
  });
});
