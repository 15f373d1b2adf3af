/**
 * What PDFium gives wrongly of letters that are written from right to left. It takes the glyphs of such text in the order
 * of the page and turns them round, the letters of a ligature too, which its font already names in the order of reading;
 * and letters that were presentation forms have the box of their ink instead of that of their line.
 */
import type { PageGlyphs } from './glyphs.ts';

const FIRST = 0x590;
const LAST = 0x8ff;

export const isRightToLeftCode = (code: number): boolean => code >= FIRST && code <= LAST;

/** Mends the codes and the boxes in place. */
export function mendRightToLeft(glyphs: PageGlyphs): void {
  if (!glyphs.codes.some(isRightToLeftCode)) return;
  turnLigatures(glyphs);
  fillHeights(glyphs);
}

/** Letters of one glyph have one origin: those that stand from left to right are in the wrong order. */
function turnLigatures({ codes, origins, boxes, count }: PageGlyphs): void {
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

/** Lower boxes than this, as a share of the highest of their font and size, are those of the ink. */
const INK = 0.9;

/** Gives all letters of a font and size the height of the highest. */
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
    if ((boxes[top] ?? 0) - (boxes[bottom] ?? 0) >= INK * (above + below)) return;
    boxes[top] = origin + above;
    boxes[bottom] = origin - below;
  });
}
