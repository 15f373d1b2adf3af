import { describe, expect, it } from 'vitest';
import { cutLine } from './cut-line.ts';
import { decodeLine } from './decode-line.ts';
import { wordsOfLine } from './line-words.ts';

const ALPHABET = ['a', 'b', ' '];

describe('decodeLine', () => {
  it('joins equal neighbours, separates them at an empty step, and takes the most probable step', () => {
    const best = [0, 1, 1, 0, 1, 2, 3, 3, 2];
    const probabilities = [1, 0.5, 0.9, 1, 0.8, 0.7, 0.6, 0.9, 1];
    expect(decodeLine({ best, probabilities }, ALPHABET)).toEqual([
      { text: 'a', step: 2, confidence: 0.9 },
      { text: 'a', step: 4, confidence: 0.8 },
      { text: 'b', step: 5, confidence: 0.7 },
      { text: ' ', step: 7, confidence: 0.9 },
      { text: 'b', step: 8, confidence: 1 },
    ]);
  });
});

/** A picture with black boxes on white. */
function picture(boxes: readonly (readonly [number, number, number, number])[]) {
  const [width, height] = [480, 48];
  const pixels = Buffer.alloc(width * height, 255);
  for (const [x0, y0, x1, y1] of boxes) {
    for (let y = y0; y < y1; y += 1) pixels.fill(0, y * width + x0, y * width + x1);
  }
  return { pixels, width, height };
}

describe('wordsOfLine', () => {
  const region = { x: 0, y: 24, width: 480, height: 48, slope: 0 };

  it('divides a line at spaces and at wide gaps and returns the boxes of the ink, without the next line', () => {
    const letters = [
      [20, 14, 60, 36],
      [70, 10, 100, 36],
      [160, 14, 200, 40],
      [400, 14, 440, 36],
      [0, 46, 480, 48],
    ] as const;
    const line = cutLine(picture(letters), region, false, 0.8);
    expect(line.width).toBe(384);
    const at = (text: string, x: number) => ({ text, step: Math.round((x * 0.8) / 8 - 0.5), confidence: 0.9 });
    const words = wordsOfLine([at('a', 40), at('b', 85), at(' ', 130), at('a', 180), at('b', 420)], line);
    expect(words.map(({ text, bbox }) => [text, ...bbox.map((value) => Math.round(value / 5) * 5)])).toEqual([
      ['ab', 20, 10, 100, 35],
      ['a', 160, 15, 200, 40],
      ['b', 400, 15, 440, 35],
    ]);
  });

  it('reads a line from top to bottom turned to the left', () => {
    const upright = picture([[100, 10, 140, 20]]);
    const line = cutLine(upright, { x: 90, y: 24, width: 24, height: 48, slope: 0 }, true, 0.8);
    expect(line.width).toBe(80);
    expect(line.boxOf({ u0: 0, v0: 0, u1: 80, v1: 48 })).toEqual([90, 0, 114, 48]);
  });
});
