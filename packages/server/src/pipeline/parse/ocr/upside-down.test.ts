import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { greyOf, type GreyPicture } from './grey-picture.ts';
import { passagePicture, textPicture } from './testing/text-picture.ts';
import { seemsUpsideDown } from './upside-down.ts';

const grey = async (picture: Buffer, degrees = 0): Promise<GreyPicture> =>
  greyOf(sharp(picture).rotate(degrees).resize(800), undefined);

describe('seemsUpsideDown', () => {
  it('tells a passage on its head from one that stands upright', async () => {
    const picture = await passagePicture();
    expect([seemsUpsideDown(await grey(picture)), seemsUpsideDown(await grey(picture, 180))]).toEqual([false, true]);
  });

  it('says nothing of figures and capitals, which look alike both ways', async () => {
    const picture = await textPicture(
      [0, 1, 2].map((row) => ({ text: 'AXON 10698', x: 80, y: 140 + row * 60, size: 40 })),
    );
    expect(seemsUpsideDown(await grey(picture, 180))).toBe(false);
  });
});
