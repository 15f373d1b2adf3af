import { describe, expect, it } from 'vitest';
import type { Character } from './decode-line.ts';
import { LetterWidths } from './letter-widths.ts';

const characters = (text: string, count: number, confidence = 0.99): Character[] =>
  Array.from({ length: count }, (_, step) => ({ text, step, confidence }));

describe('LetterWidths', () => {
  it('compresses the next lines of a wide typeface, and those of a narrow one less', () => {
    const [wide, narrow] = [new LetterWidths(), new LetterWidths()];
    expect(wide.compression()).toBe(0.8);
    expect(wide.retry(characters('m', 63), 30, 0.8)).toBeNull();
    expect(wide.compression()).toBeCloseTo(0.57, 2);
    expect(narrow.retry(characters('i', 96), 30, 0.8)).toBeNull();
    expect(narrow.compression()).toBeCloseTo(0.87, 2);
  });

  it('reads a line again whose letters are narrower than those before', () => {
    const widths = new LetterWidths();
    widths.retry(characters('m', 63), 30, 0.8);
    expect(widths.retry(characters('i', 90), 30, widths.compression())).toBeCloseTo(0.81, 2);
  });

  it('reads a line again that was compressed and is unsure, and keeps its letters out of the next widths', () => {
    const widths = new LetterWidths();
    widths.retry(characters('m', 63), 30, 0.8);
    const compression = widths.compression();
    expect(widths.retry(characters('i', 70, 0.6), 30, compression)).toBe(0.8);
    expect(widths.compression()).toBe(compression);
    expect(widths.retry(characters('i', 70, 0.6), 30, 0.8)).toBeNull();
  });

  it('counts characters that are as wide as high twice', () => {
    const widths = new LetterWidths();
    widths.retry(characters('港', 33), 30, 0.8);
    expect(widths.compression()).toBeCloseTo(0.6, 1);
  });
});
