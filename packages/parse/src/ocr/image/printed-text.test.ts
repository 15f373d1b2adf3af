import { describe, expect, it } from 'vitest';
import type { GreyPicture } from './grey-picture.ts';
import { findPrintedText } from './printed-text.ts';

const WIDTH = 400;
const HEIGHT = 300;

/** Draws boxes of ink on white, given as `[x, y, width, height]`. */
function page(boxes: readonly (readonly [number, number, number, number])[]): GreyPicture {
  const pixels = Buffer.alloc(WIDTH * HEIGHT, 255);
  for (const [left, top, width, height] of boxes)
    for (let y = top; y < top + height; y += 1) pixels.fill(0, y * WIDTH + left, y * WIDTH + left + width);
  return { pixels, width: WIDTH, height: HEIGHT };
}

const LETTERS = Array.from(
  { length: 40 },
  (_, index) => [100 + (index % 10) * 9, 80 + Math.floor(index / 10) * 20, 6, 10] as const,
);

describe('findPrint', () => {
  it('returns the letter height and the printed area with a margin of three letter heights', () => {
    expect(findPrintedText(page(LETTERS))).toEqual({
      letterHeight: 10,
      area: { left: 70, top: 50, width: 147, height: 130 },
    });
  });

  it('drops specks and isolated letters, and keeps table lines', () => {
    const strewn = [
      [10, 10, 2, 2],
      [380, 290, 2, 2],
      [20, 250, 6, 10],
    ] as const;
    expect(findPrintedText(page([...LETTERS, ...strewn]))?.area).toEqual({
      left: 70,
      top: 50,
      width: 147,
      height: 130,
    });
    const ruled = page([...LETTERS, [60, 95, 200, 2]]);
    expect(findPrintedText(ruled)?.area).toEqual({ left: 30, top: 50, width: 260, height: 130 });
  });

  it('returns nothing for a blank page or three letters', () => {
    expect(findPrintedText(page([]))).toBeUndefined();
    expect(findPrintedText(page(LETTERS.slice(0, 3)))).toBeUndefined();
  });
});
