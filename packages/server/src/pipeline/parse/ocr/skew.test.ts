import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { greyOf } from './grey-picture.ts';
import { linesStand, measureSkew } from './skew.ts';
import { passagePicture } from './testing/text-picture.ts';

async function measured(data: Buffer): Promise<number> {
  return measureSkew(await greyOf(sharp(data), undefined));
}

describe('measureSkew', () => {
  it.each([-14, -5, -3, -0.5, 0.5, 3, 6, 14])(
    'finds the turn that sets a page straight that lies %s degrees askew',
    async (degrees) => {
      const askew = await sharp(await passagePicture())
        .rotate(degrees, { background: '#fff' })
        .png()
        .toBuffer();
      expect(Math.abs((await measured(askew)) + degrees)).toBeLessThanOrEqual(0.3);
    },
  );

  it('leaves straight pages and pictures without lines alone', async () => {
    expect(await measured(await passagePicture())).toBe(0);
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

describe('linesStand', () => {
  const standing = async (data: Buffer): Promise<boolean> => {
    return linesStand(await greyOf(sharp(data), undefined));
  };

  it('is true for text on its side only', async () => {
    const page = await passagePicture();
    const turned = await Promise.all([90, 180, 270].map((degrees) => sharp(page).rotate(degrees).png().toBuffer()));
    const answers = await Promise.all([page, ...turned].map(standing));
    expect(answers).toEqual([false, true, false, true]);
  });

  it('is false for a blank picture', async () => {
    const blank = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect(await standing(blank)).toBe(false);
  });
});
