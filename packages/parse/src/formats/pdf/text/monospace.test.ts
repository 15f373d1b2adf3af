import { expect, it } from 'vitest';
import { fontStyle, glyphRun, pageGlyphs } from '../testing/glyph-run.ts';
import { markMonospace } from './monospace.ts';

it.each([
  ['sudo apt install', true, true],
  ['sudo apt install', false, false],
  // A font that lacks its letters gives all of them the width of the missing glyph.
  ['10 11 12', true, false],
  ['MW 10', true, false],
])('decides whether the font of %s is monospace, with even widths: %s', (text, evenWidths, monospace) => {
  const style = fontStyle('t1xtt');
  const codes = Uint32Array.from(text, (letter) => letter.charCodeAt(0));
  markMonospace(pageGlyphs(codes, glyphRun({ style, evenWidths })));
  expect(style.monospace).toBe(monospace);
});
