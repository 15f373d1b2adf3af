import { expect, it } from 'vitest';
import type { PageReading } from '../page/read-page.ts';
import { fontStyle, glyphRun, pageGlyphs } from '../testing/glyph-run.ts';
import type { GlyphRun } from './glyphs.ts';
import { fontUse, TrustedFonts, type FontUse } from './trusted-fonts.ts';

const style = fontStyle('Serif');

function use(text: string, run: Partial<GlyphRun> = {}): FontUse {
  const codes = Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const page: Pick<PageReading, 'glyphs'> = { glyphs: pageGlyphs(codes, glyphRun({ style, ...run })) };
  return fontUse(page);
}

const PROSE = 'Plain text of another page. '.repeat(12);

it('trusts a font in which another page is set', () => {
  const trusted = new TrustedFonts();
  expect(trusted.covers(use('PSL2q7 3D4xS5'))).toBe(false);
  trusted.add(use(PROSE));
  expect(trusted.covers(use('PSL2q7 3D4xS5'))).toBe(true);
});

it.each<[string, FontUse, FontUse]>([
  ['another font', use(PROSE), use('PSL2q7', { style: fontStyle('Other') })],
  ['a font of few characters', use('A title'), use('PSL2q7')],
  ['an invisible text layer', use(PROSE, { hidden: true }), use('PSL2q7', { hidden: true })],
  ['characters without a use', use(PROSE), use('\u0001\u0002\u0003abc')],
])('does not trust %s', (_, plausible, doubtful) => {
  const trusted = new TrustedFonts();
  trusted.add(plausible);
  expect(trusted.covers(doubtful)).toBe(false);
});
