/** How large the letters of a picture are, and which part of it they stand in: what stands there is worth enlarging. */
import type { GreyPicture } from './grey-picture.ts';
import { paperOf } from './grey-picture.ts';
import { inkParts, type InkPart } from './ink-parts.ts';

export interface PrintedArea {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Print {
  /** Half of the letters are lower than this, in pixels; most letters are small ones. */
  letterHeight: number;
  /** Around all letters and what touches their area, with some paper beside them. */
  area: PrintedArea;
}

/** Fewer letters tell nothing. */
const FEWEST_LETTERS = 12;
const SMALLEST_LETTER = 3;
/** Parts lower than this share of the common height are dots and specks. */
const SPECK = 0.5;
/** Letters stand together: within so many heights there is at least one other. */
const NEIGHBOURHOOD = 4;
const NEIGHBOURS = 3;
/** Paper left around the print, in letter heights: engines want some. */
const MARGIN = 3;

/** Undefined when there are not enough parts that may be letters. */
export function findPrint(picture: GreyPicture): Print | undefined {
  const parts = inkParts(picture, paperOf(picture));
  const { letters, letterHeight } = letterParts(parts);
  if (letters.length < FEWEST_LETTERS) return undefined;
  return { letterHeight, area: areaOf(letters, parts, letterHeight, picture) };
}

/** Those parts of the ink that may be letters, and how high most of them are; 0 without any. */
export function letterParts(parts: readonly InkPart[]): { letters: InkPart[]; letterHeight: number } {
  const shaped = parts.filter(isLetterShaped);
  const height = ({ y0, y1 }: InkPart): number => y1 - y0;
  const upper = quantile(shaped.map(height), 0.75);
  const letters = inCompany(
    shaped.filter((part) => height(part) >= SPECK * upper),
    upper,
  );
  return { letters, letterHeight: quantile(letters.map(height), 0.5) };
}

function isLetterShaped({ x0, y0, x1, y1, area }: InkPart): boolean {
  const [width, height] = [x1 - x0, y1 - y0];
  return height >= SMALLEST_LETTER && area >= 2 * SMALLEST_LETTER && width <= 3 * height && height <= 5 * width;
}

/** Those that have others near them; specks are strewn. */
function inCompany(letters: readonly InkPart[], height: number): InkPart[] {
  const side = Math.max(1, NEIGHBOURHOOD * height);
  const counts = new Map<string, number>();
  const place = ({ x0, y0, x1, y1 }: InkPart): [number, number] => [
    Math.floor((x0 + x1) / 2 / side),
    Math.floor((y0 + y1) / 2 / side),
  ];
  for (const letter of letters) {
    const key = place(letter).join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return letters.filter((letter) => {
    const [column, row] = place(letter);
    let near = 0;
    for (let dy = -1; dy <= 1; dy += 1)
      for (let dx = -1; dx <= 1; dx += 1) near += counts.get(`${column + dx},${row + dy}`) ?? 0;
    return near > NEIGHBOURS;
  });
}

function areaOf(
  letters: readonly InkPart[],
  parts: readonly InkPart[],
  letterHeight: number,
  { width, height }: GreyPicture,
): PrintedArea {
  let [x0, y0, x1, y1] = [width, height, 0, 0];
  const include = (part: InkPart): void => {
    [x0, y0] = [Math.min(x0, part.x0), Math.min(y0, part.y0)];
    [x1, y1] = [Math.max(x1, part.x1), Math.max(y1, part.y1)];
  };
  for (const letter of letters) include(letter);
  // Lines of tables and frames reach beyond the text that they hold together.
  for (const part of parts) {
    const touches = part.x0 < x1 && part.x1 > x0 && part.y0 < y1 + letterHeight && part.y1 > y0 - letterHeight;
    if (touches && Math.max(part.x1 - part.x0, part.y1 - part.y0) > 2 * letterHeight) include(part);
  }
  const margin = Math.ceil(MARGIN * letterHeight);
  const [left, top] = [Math.max(0, x0 - margin), Math.max(0, y0 - margin)];
  return { left, top, width: Math.min(width, x1 + margin) - left, height: Math.min(height, y1 + margin) - top };
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}
