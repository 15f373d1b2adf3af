/**
 * Corrects PDFium's output for right-to-left scripts. PDFium reverses glyphs into reading order, including the letters
 * of a ligature, which the font already lists in reading order. Letters mapped from presentation forms get the box of
 * their ink instead of the box of their line.
 */
import type { PageGlyphs } from './glyphs.ts';

const FIRST = 0x590;
const LAST = 0x8ff;

export const isRightToLeftCode = (code: number): boolean => code >= FIRST && code <= LAST;

/** Corrects codes and boxes in place. */
export function correctRightToLeft(glyphs: PageGlyphs): void {
  if (!glyphs.codes.some(isRightToLeftCode)) return;
  reverseLigatures(glyphs);
  fillHeights(glyphs);
}

/** Reverses ligatures: letters of one glyph share an origin and are in the wrong order if they run left to right. */
function reverseLigatures({ codes, origins, boxes, count }: PageGlyphs): void {
  const sameGlyph = (a: number, b: number): boolean =>
    isRightToLeftCode(codes[b] ?? 0) &&
    origins[a * 2] === origins[b * 2] &&
    origins[a * 2 + 1] === origins[b * 2 + 1] &&
    (boxes[a * 4] ?? 0) < (boxes[b * 4] ?? 0) - 0.1;
  for (let start = 0; start < count; start++) {
    if (!isRightToLeftCode(codes[start] ?? 0)) continue;
    let end = start;
    while (end + 1 < count && sameGlyph(end, end + 1)) end++;
    for (let [a, b] = [start, end]; a < b; a++, b--) swap({ codes, boxes }, a, b);
    start = end;
  }
}

function swap({ codes, boxes }: Pick<PageGlyphs, 'codes' | 'boxes'>, a: number, b: number): void {
  [codes[a], codes[b]] = [codes[b] ?? 0, codes[a] ?? 0];
  const box = boxes.slice(a * 4, a * 4 + 4);
  boxes.copyWithin(a * 4, b * 4, b * 4 + 4);
  boxes.set(box, b * 4);
}

/** A box lower than this share of the highest box of its font and size is an ink box. */
const INK_BOX_RATIO = 0.9;

/** Gives all letters of a font and size the height of the highest one. */
function fillHeights({ codes, origins, boxes, runOf, runs, count }: PageGlyphs): void {
  const extents = new Map<string, { above: number; below: number }>();
  const keys = runs.map(({ style, em, angle }) => (angle === 0 ? `${style.name}@${em}` : undefined));
  const each = (use: (key: string, top: number, bottom: number, origin: number) => void): void => {
    for (let i = 0; i < count; i++) {
      const key = keys[runOf[i] ?? 0];
      if (key === undefined || !isRightToLeftCode(codes[i] ?? 0)) continue;
      use(key, i * 4 + 1, i * 4 + 3, origins[i * 2 + 1] ?? 0);
    }
  };
  each((key, top, bottom, origin) => {
    const extent = extents.get(key) ?? { above: 0, below: 0 };
    extent.above = Math.max(extent.above, (boxes[top] ?? 0) - origin);
    extent.below = Math.max(extent.below, origin - (boxes[bottom] ?? 0));
    extents.set(key, extent);
  });
  each((key, top, bottom, origin) => {
    const { above, below } = extents.get(key) ?? { above: 0, below: 0 };
    if ((boxes[top] ?? 0) - (boxes[bottom] ?? 0) >= INK_BOX_RATIO * (above + below)) return;
    boxes[top] = origin + above;
    boxes[bottom] = origin - below;
  });
}
