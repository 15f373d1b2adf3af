import { expect, it } from 'vitest';
import type { FontStyle } from '../../../layout/page/page-content.ts';
import type { PageGlyphs } from './glyphs.ts';
import { markMonospace } from './monospace.ts';

/** Returns the glyphs of one run in a font whose letters seem to have one width. */
function glyphsOf(text: string, style: FontStyle, evenWidths: boolean): PageGlyphs {
  const run = { style, angle: 0, em: 10, hidden: false, unmapped: false, hasInkBoxes: false, symbolic: false };
  return {
    count: text.length,
    codes: Uint32Array.from(text, (letter) => letter.charCodeAt(0)),
    boxes: new Float32Array(text.length * 4),
    origins: new Float32Array(text.length * 2),
    runOf: new Uint32Array(text.length),
    runs: [{ ...run, contentId: -1, evenWidths }],
  };
}

it.each([
  ['sudo apt install', true, true],
  ['sudo apt install', false, false],
  // A font that lacks its letters gives all of them the width of the missing glyph.
  ['10 11 12', true, false],
  ['MW 10', true, false],
])('decides whether the font of %s is monospace, with even widths: %s', (text, evenWidths, monospace) => {
  const style = { name: 't1xtt', bold: false, italic: false, monospace: false };
  markMonospace(glyphsOf(text, style, evenWidths));
  expect(style.monospace).toBe(monospace);
});
