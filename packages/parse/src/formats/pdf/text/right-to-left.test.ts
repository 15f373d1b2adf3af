import { expect, it } from 'vitest';
import { fontStyle, glyphRun, pageGlyphs } from '../testing/glyph-run.ts';
import type { PageGlyphs } from './glyphs.ts';
import { correctRightToLeft } from './right-to-left.ts';

interface Letter {
  text: string;
  /** Left, top, right, bottom. */
  box: [number, number, number, number];
  origin: number;
}

const glyphsOf = (letters: readonly Letter[]): PageGlyphs =>
  pageGlyphs(
    Uint32Array.from(letters, ({ text }) => text.codePointAt(0) ?? 0),
    glyphRun({ style: fontStyle('Naskh') }),
    { boxes: letters.flatMap(({ box }) => box), origins: letters.flatMap(({ origin }) => [origin, 100]) },
  );

const textOf = ({ codes }: PageGlyphs): string => String.fromCodePoint(...codes);

it('puts the letters of a ligature into reading order, each on its half of the glyph', () => {
  const glyphs = glyphsOf([
    { text: 'ا', box: [60, 108, 64, 98], origin: 60 },
    { text: 'أ', box: [52, 108, 55, 98], origin: 52 },
    { text: 'ل', box: [55, 108, 58, 98], origin: 52 },
    { text: 'ع', box: [46, 108, 52, 98], origin: 46 },
  ]);
  correctRightToLeft(glyphs);
  expect(textOf(glyphs)).toBe('الأع');
  expect([...glyphs.boxes.subarray(4, 12)]).toEqual([55, 108, 58, 98, 52, 108, 55, 98]);
});

it('extends ink boxes to the height of the line', () => {
  const glyphs = glyphsOf([
    { text: 'و', box: [60, 109, 66, 97], origin: 60 },
    { text: 'د', box: [54, 103, 59, 100], origin: 54 },
  ]);
  correctRightToLeft(glyphs);
  expect([...glyphs.boxes.subarray(4)]).toEqual([54, 109, 59, 97]);
});

it('does not change other scripts', () => {
  const glyphs = glyphsOf([
    { text: 'f', box: [10, 108, 13, 98], origin: 10 },
    { text: 'i', box: [13, 105, 15, 100], origin: 10 },
  ]);
  correctRightToLeft(glyphs);
  expect(textOf(glyphs)).toBe('fi');
  expect([...glyphs.boxes.subarray(4)]).toEqual([13, 105, 15, 100]);
});
