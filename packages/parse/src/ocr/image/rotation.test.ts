// large: recognises whole pages
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { detectRotation, type QuarterTurns } from './rotation.ts';
import { fromSharp } from './grey-picture.ts';
import { paragraphPicture, textPicture } from '../testing/text-picture.ts';

const seen = async (page: Buffer, degrees: number): Promise<QuarterTurns | null> =>
  detectRotation(await fromSharp(sharp(page).rotate(degrees, { background: '#fff' }), undefined));

describe('directionOf', () => {
  it.each([
    [0, 0],
    [90, 3],
    [180, 2],
    [270, 1],
    [10, 0],
    [187, 2],
    [84, 3],
  ])('detects the rotation of a page rotated by %i degrees', async (degrees, turns) => {
    expect(await seen(await paragraphPicture(), degrees)).toBe(turns);
  });

  it('assumes that digits and capitals are upright, and does not detect the direction of vertical ones', async () => {
    const rows = ['TEN AXES 10698 HEX', 'MALT AND WINE 47', 'A HEIFER 3 LAMBS', 'NINE MILES 2450', 'THE INN AT HAM'];
    const picture = await textPicture(rows.map((text, row) => ({ text, x: 80, y: 140 + row * 60, size: 40 })));
    expect([await seen(picture, 180), await seen(picture, 90)]).toEqual([0, null]);
  });
});
