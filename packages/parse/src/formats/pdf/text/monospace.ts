/** Recognises monospace fonts by the widths of their letters, because many have neither a usual name nor the flag. */
import type { FontStyle } from '../../../layout/page/page-content.ts';
import type { Pdfium } from '../pdfium.ts';
import type { PageGlyphs } from './glyphs.ts';

const EM = 1000;
const NARROW = 'iljtrf';
const WIDE = 'mwoaenMW';
/** Range of the letters' width, in thousandths of the font size: monospace fonts have 500 to 620. */
const MIN_WIDTH = 400;
const MAX_WIDTH = 700;
/** Maximum difference of two equal widths. */
const TOLERANCE = 2;
/** Letter of East Asian fonts, whose Latin letters may all be half as wide. */
const KANA = 'あ';

/**
 * Checks whether the font gives all probed letters one width. A font that lacks the letters does so too, so the letters
 * that the text shows must confirm it (`markMonospace`).
 */
export function hasEvenWidths(pdfium: Pdfium, font: number): boolean {
  const { api, scratch } = pdfium;
  const widthOf = (letter: string): number =>
    api.FPDFFont_GetGlyphWidth(font, letter.codePointAt(0) ?? 0, EM, scratch) ? pdfium.float(0) : 0;
  const first = widthOf('i');
  if (first < MIN_WIDTH || first > MAX_WIDTH || Math.abs(widthOf(KANA) - 2 * first) <= TOLERANCE) return false;
  return Array.from(NARROW + WIDE).every((letter) => Math.abs(widthOf(letter) - first) <= TOLERANCE);
}

/** Marks the fonts with even widths of which the page shows a narrow and a wide letter as monospace. */
export function markMonospace({ codes, count, runOf, runs }: PageGlyphs): void {
  const [narrow, wide] = [new Set<FontStyle>(), new Set<FontStyle>()];
  for (let i = 0; i < count; i++) {
    const run = runs[runOf[i] ?? 0];
    if (run?.evenWidths !== true || run.style.monospace) continue;
    const letter = String.fromCodePoint(codes[i] ?? 0);
    if (NARROW.includes(letter)) narrow.add(run.style);
    else if (WIDE.includes(letter)) wide.add(run.style);
  }
  for (const style of narrow) if (wide.has(style)) style.monospace = true;
}
