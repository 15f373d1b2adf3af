import { describe, expect, it } from 'vitest';
import type { PageGlyphs } from './glyphs.ts';
import { isSymbolFont } from '../../../structure/symbol-fonts.ts';
import { PageFrame } from '../page/page-frame.ts';
import { fontStyle, glyphRun, pageGlyphs } from '../testing/glyph-run.ts';
import { wordsOf } from './words.ts';

/** Builds 10-point characters on one line as PDFium returns them: UTF-16 units, surrogate pairs at one position. */
function glyphsOf(text: string, font = 'F'): PageGlyphs {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  let place = 0;
  const places = units.map((unit) => (place += (unit & 0xfc00) === 0xdc00 ? 0 : 1));
  return pageGlyphs(Uint32Array.from(units), glyphRun({ style: fontStyle(font), symbolic: isSymbolFont(font) }), {
    boxes: places.flatMap((place) => [place * 5, 110, place * 5 + 5, 100]),
    origins: places.flatMap((place) => [place * 5, 102]),
  });
}

const read = (text: string, font?: string): string[] =>
  wordsOf(glyphsOf(text, font), new PageFrame({ left: 0, top: 200, right: 600, bottom: 0 }, 0)).map(
    (word) => word.text,
  );

describe('wordsOf', () => {
  it('reads characters above U+FFFF and drops unpaired surrogates', () => {
    expect(read('\u{10c80}\u{10c81} \u{20000}')).toEqual(['\u{10c80}\u{10c81}', '\u{20000}']);
    expect(read('a\ud800')).toEqual(['a']);
  });

  it('normalises ligatures and mathematical letters', () => {
    expect(read('\ufb01n \u{1d465}\u{1d7d0}')).toEqual(['fin', 'x2']);
  });

  it('joins the digits of a fraction to its slash, which they overlap', () => {
    const glyphs = glyphsOf('1 \u20444');
    // The slash begins before the raised digit ends.
    glyphs.boxes.set([8, 110, 13, 100, 12, 110, 17, 100], 8);
    glyphs.origins.set([8, 102, 12, 102], 4);
    const words = wordsOf(glyphs, new PageFrame({ left: 0, top: 200, right: 600, bottom: 0 }, 0));
    expect(words.map((word) => (word.glued ? '' : ' ') + word.text).join('')).toBe(' 1\u20444');
  });

  it('maps symbol font codes to characters', () => {
    expect(read('\xfd o \xfc', 'ABCDEF+Wingdings-Regular')).toEqual(['☒', '☐', '✓']);
    expect(read('\uf0b7 \uf061', 'ABCDEF+SymbolMT')).toEqual(['•', 'α']);
    expect(read('\u25a0 a', 'SegoeUISymbol')).toEqual(['■', 'a']);
  });

  it.each([
    ['before a gap at the start of a line', 12, 2, ['•', 'ab']],
    ['right before letters', 6, 2, ['ab']],
    ['after a word on its line', 12, 22, ['c', 'ab']],
  ])('reads a sign without Unicode value %s', (_, left, column, expected) => {
    // The word before is on the line above, or left of the sign.
    const [x, y] = column === 2 ? [2, 130] : [-8, 102];
    const glyphs = pageGlyphs(Uint32Array.from([0x63, 0x88, 0x20, 0x61, 0x62]), glyphRun(), {
      boxes: [
        [x, y + 8, x + 5, y - 2],
        [0, 110, 5, 100],
        [5, 110, 5, 110],
        [left, 110, left + 5, 100],
        [left + 5, 110, left + 10, 100],
      ].flat(),
      origins: [
        [x, y],
        [0, 102],
        [5, 102],
        [left, 102],
        [left + 5, 102],
      ].flat(),
    });
    glyphs.runs.push(glyphRun({ style: fontStyle(''), unmapped: true }), glyphRun({ em: 10 }));
    glyphs.runOf.set([0, 1, 2, 2, 2]);
    const frame = new PageFrame({ left: -20, top: 200, right: 600, bottom: 0 }, 0);
    const words = wordsOf(glyphs, frame).map(({ text }) => text);
    expect(words.filter((text) => column !== 2 || text !== 'c')).toEqual(expected);
  });
});
