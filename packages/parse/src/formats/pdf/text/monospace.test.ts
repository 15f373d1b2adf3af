import { expect, it } from 'vitest';
import { fontStyle, glyphRun, pageGlyphs } from '../testing/glyph-run.ts';
import { markMonospace } from './monospace.ts';

it.each([
  ['sudo apt install', true, true],
  ['sudo apt install', false, false],
  // A font that lacks its letters gives all of them the width of the missing glyph.
  ['10 11 12', true, false],
  ['MW 10', true, false],
])('decides whether the font of %s is monospace, which may be monospace: %s', (text, mayBeMonospace, monospace) => {
  const style = fontStyle('t1xtt');
  const codes = Uint32Array.from(text, (letter) => letter.charCodeAt(0));
  markMonospace(pageGlyphs(codes, glyphRun({ style, mayBeMonospace })));
  expect(style.monospace).toBe(monospace);
});

it.each([
  [6, 6, true],
  [6, 6.1, true],
  [2.8, 9.7, false],
])('compares the drawn widths of i, %f, and m, %f, against the flag', (narrow, wide, monospace) => {
  const style = { ...fontStyle('Sans'), monospace: !monospace };
  const boxes = [0, 0, narrow, 10, 20, 0, 20 + wide, 10];
  markMonospace(pageGlyphs(Uint32Array.from([105, 109]), glyphRun({ style, mayBeMonospace: true }), { boxes }));
  expect(style.monospace).toBe(monospace);
});
