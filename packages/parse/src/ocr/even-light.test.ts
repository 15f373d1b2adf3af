import { describe, expect, it } from 'vitest';
import { onLightPaper, withEvenLight, withoutGrain } from './even-light.ts';
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
function extremes({ pixels }: GreyPicture): { paper: number; ink: number } {
  let [paper, ink] = [255, 0];
  for (let y = 30; y < SIDE - 30; y += 1) {
    for (let x = 30; x < SIDE - 30; x += 1) {
      const level = pixels[y * SIDE + x] ?? 0;
      if (x % 24 < 4 && y % 24 > 8) ink = Math.max(ink, level);
      else paper = Math.min(paper, level);
    }
  }
  return { paper, ink };
}

describe('normaliseIllumination', () => {
  it('returns a clean page unchanged', () => {
    const clean = page((ink) => (ink ? 0 : 255));
    expect(withEvenLight(clean)).toBe(clean);
  });

  it('removes a shadow', () => {
    const shadow = page((ink, x) => (ink ? 20 : 250) * (1 - (0.7 * x) / SIDE));
    const { paper, ink } = extremes(withEvenLight(shadow));
    expect(paper).toBeGreaterThan(200);
    expect(ink).toBeLessThan(60);
  });

  it('inverts white letters on black', () => {
    const { paper, ink } = extremes(onLightPaper(page((stroke) => (stroke ? 240 : 15))));
    expect([paper, ink]).toEqual([240, 15]);
  });

  it('darkens faint ink', () => {
    const { paper, ink } = extremes(withEvenLight(page((stroke) => (stroke ? 170 : 200))));
    expect(paper - ink).toBeGreaterThan(200);
  });

  it('removes specks', async () => {
    const random = (x: number, y: number): number => (x * 7919 + y * 104729 + x * y * 31) % 1009;
    const specks = page((ink, x, y) => (ink || random(x, y) < 20 ? 0 : 255));
    const dark = ({ pixels }: GreyPicture): number => pixels.filter((level) => level < 128).length;
    const strokes = dark(page((ink) => (ink ? 0 : 255)));
    expect(dark(specks)).toBeGreaterThan(1.1 * strokes);
    expect(dark(await withoutGrain(specks))).toBeLessThan(1.02 * strokes);
  });

  it('keeps a blank page blank', () => {
    const grey = withEvenLight(page((_, x) => 180 + (x % 3)));
    expect(grey.pixels.toSorted()[0]).toBeGreaterThan(240);
  });
});
