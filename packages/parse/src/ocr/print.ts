/** Finds the letter height and the printed area of a picture, which determine cropping and enlargement. */
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
  /** Median letter height in pixels. */
  letterHeight: number;
  /** Area around all letters and the components touching it, with a margin. */
  area: PrintedArea;
}

/** Minimum number of letters. */
const FEWEST_LETTERS = 12;
const SMALLEST_LETTER = 3;
/** Components lower than this share of the common height are dots and specks. */
const SPECK = 0.5;
/** Neighbourhood, in letter heights, in which a letter has at least `NEIGHBOURS` components including itself. */
const NEIGHBOURHOOD = 4;
const NEIGHBOURS = 3;
/** Margin around the print, in letter heights; engines need some. */
const MARGIN = 3;

/** Returns the printed text; undefined if there are not enough letter components. */
export function findPrint(picture: GreyPicture): Print | undefined {
  const parts = inkParts(picture, paperOf(picture));
  const { letters, letterHeight } = letterParts(parts);
  if (letters.length < FEWEST_LETTERS) return undefined;
  return { letterHeight, area: areaOf(letters, parts, letterHeight, picture) };
}

/** Returns the components that may be letters and their median height; 0 without any. */
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

/** Keeps components with neighbours; specks are scattered. */
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
  // Table lines and frames extend beyond the text.
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
