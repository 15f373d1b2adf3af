/** Glyphs as PDFium returns them, for tests of the steps that read words from them. */
import type { FontStyle } from '../../../layout/page/page-content.ts';
import type { GlyphRun, PageGlyphs } from '../text/glyphs.ts';

export const fontStyle = (name: string): FontStyle => ({ name, bold: false, italic: false, monospace: false });

/** Returns an upright run of 10 points in an ordinary font; `given` replaces its properties. */
export const glyphRun = (given: Partial<GlyphRun> = {}): GlyphRun => ({
  style: fontStyle('Test'),
  angle: 0,
  em: 10,
  hidden: false,
  unmapped: false,
  hasInkBoxes: false,
  symbolic: false,
  mayBeMonospace: false,
  contentId: -1,
  ...given,
});

/** Returns glyphs of one run. Positions that are not given are 0; `boxes` hold left, top, right and bottom. */
export function pageGlyphs(
  codes: Uint32Array,
  run: GlyphRun,
  { boxes, origins }: { boxes?: readonly number[]; origins?: readonly number[] } = {},
): PageGlyphs {
  return {
    count: codes.length,
    codes,
    boxes: Float32Array.from(boxes ?? Array.from({ length: codes.length * 4 }, () => 0)),
    origins: Float32Array.from(origins ?? Array.from({ length: codes.length * 2 }, () => 0)),
    runOf: new Uint32Array(codes.length),
    runs: [run],
  };
}
