import { describe, expect, it } from 'vitest';
import { denoise } from './denoise.ts';
import { invertIfWhiteOnBlack, normaliseIllumination } from './illumination.ts';
import type { GreyPicture } from './grey-picture.ts';

const SIDE = 480;

/** Draws strokes four pixels wide every 24 pixels. */
function page(level: (ink: boolean, x: number, y: number) => number): GreyPicture {
  const pixels = Buffer.alloc(SIDE * SIDE);
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1) pixels[y * SIDE + x] = level(x % 24 < 4 && y % 24 > 8, x, y);
  return { pixels, width: SIDE, height: SIDE };
}

/** Returns the darkest background and the lightest ink level. */
function extremes({ pixels }: GreyPicture): { background: number; ink: number } {
  let [background, ink] = [255, 0];
  for (let y = 30; y < SIDE - 30; y += 1) {
    for (let x = 30; x < SIDE - 30; x += 1) {
      const level = pixels[y * SIDE + x] ?? 0;
      if (x % 24 < 4 && y % 24 > 8) ink = Math.max(ink, level);
      else background = Math.min(background, level);
    }
  }
  return { background, ink };
}

describe('normaliseIllumination', () => {
  it('returns a clean page unchanged', () => {
    const clean = page((ink) => (ink ? 0 : 255));
    expect(normaliseIllumination(clean)).toBe(clean);
  });

  it('removes a shadow', () => {
    const shadow = page((ink, x) => (ink ? 20 : 250) * (1 - (0.7 * x) / SIDE));
    const { background, ink } = extremes(normaliseIllumination(shadow));
    expect(background).toBeGreaterThan(200);
    expect(ink).toBeLessThan(60);
  });

  it('inverts white letters on black', () => {
    const { background, ink } = extremes(invertIfWhiteOnBlack(page((stroke) => (stroke ? 240 : 15))));
    expect([background, ink]).toEqual([240, 15]);
  });

  it('darkens faint ink', () => {
    const { background, ink } = extremes(normaliseIllumination(page((stroke) => (stroke ? 170 : 200))));
    expect(background - ink).toBeGreaterThan(200);
  });

  it('removes specks', async () => {
    const random = (x: number, y: number): number => (x * 7919 + y * 104729 + x * y * 31) % 1009;
    const specks = page((ink, x, y) => (ink || random(x, y) < 20 ? 0 : 255));
    const dark = ({ pixels }: GreyPicture): number => pixels.filter((level) => level < 128).length;
    const strokes = dark(page((ink) => (ink ? 0 : 255)));
    expect(dark(specks)).toBeGreaterThan(1.1 * strokes);
    expect(dark(await denoise(specks))).toBeLessThan(1.02 * strokes);
  });

  it('keeps a blank page blank', () => {
    const grey = normaliseIllumination(page((_, x) => 180 + (x % 3)));
    expect(grey.pixels.toSorted()[0]).toBeGreaterThan(240);
  });
});
