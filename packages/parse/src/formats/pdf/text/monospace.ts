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
 * Checks whether the font gives all probed letters one width. A font that lacks the letters, or is not encoded by
 * characters, does so too, so the letters that the text shows must confirm it (`markMonospace`).
 */
export function hasEvenWidths(pdfium: Pdfium, font: number): boolean {
  const { api, scratch } = pdfium;
  const widthOf = (letter: string): number =>
    api.FPDFFont_GetGlyphWidth(font, letter.codePointAt(0) ?? 0, EM, scratch) ? pdfium.float(0) : 0;
  const first = widthOf('i');
  if (first < MIN_WIDTH || first > MAX_WIDTH || Math.abs(widthOf(KANA) - 2 * first) <= TOLERANCE) return false;
  return Array.from(NARROW + WIDE).every((letter) => Math.abs(widthOf(letter) - first) <= TOLERANCE);
}

/** Maximum difference of the widths of a drawn narrow and wide letter, as a share of the wide one. */
const DRAWN_TOLERANCE = 0.15;

/**
 * Decides whether fonts are monospace of which the page shows a narrow and a wide letter. Some programs set the flag
 * for all fonts, so letters that are drawn in different widths refute it.
 */
export function markMonospace({ codes, count, boxes, runOf, runs }: PageGlyphs): void {
  const [narrow, wide] = [new Map<FontStyle, number>(), new Map<FontStyle, number>()];
  for (let i = 0; i < count; i++) {
    const run = runs[runOf[i] ?? 0];
    if (run?.mayBeMonospace !== true) continue;
    const letter = String.fromCodePoint(codes[i] ?? 0);
    const seen = NARROW.includes(letter) ? narrow : WIDE.includes(letter) ? wide : undefined;
    if (seen?.has(run.style) !== false) continue;
    // The boxes of rotated text and of fonts without advance widths are no evidence.
    const isMeasured = run.angle === 0 && !run.hasInkBoxes && run.em > 0;
    seen.set(run.style, isMeasured ? ((boxes[i * 4 + 2] ?? 0) - (boxes[i * 4] ?? 0)) / run.em : NaN);
  }
  for (const [style, width] of narrow) {
    const other = wide.get(style);
    if (other !== undefined) style.monospace = !(Math.abs(other - width) > DRAWN_TOLERANCE * other);
  }
}
