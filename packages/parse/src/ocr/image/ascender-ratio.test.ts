import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fromSharp, type GreyPicture } from './grey-picture.ts';
import { paragraphPicture, textPicture } from '../testing/text-picture.ts';
import { ascenderRatio } from './ascender-ratio.ts';

const grey = async (picture: Buffer, degrees = 0): Promise<GreyPicture> =>
  fromSharp(sharp(picture).rotate(degrees).resize(800), undefined);

describe('reachOfLetters', () => {
  it('is above two for an upright paragraph and below one half for an upside-down one', async () => {
    const picture = await paragraphPicture();
    const upright = ascenderRatio(await grey(picture));
    expect(upright).toBeGreaterThan(2);
    expect(ascenderRatio(await grey(picture, 180))).toBeLessThan(0.5);
  });

  it('is 1 for digits and capitals, which have no descenders', async () => {
    const picture = await textPicture(
      [0, 1, 2].map((row) => ({ text: 'AXON 10698', x: 80, y: 140 + row * 60, size: 40 })),
    );
    expect(ascenderRatio(await grey(picture, 180))).toBe(1);
  });
});
