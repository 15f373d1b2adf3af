/**
 * Detects upside-down pages: in Latin, Greek and Cyrillic print many more letters have ascenders (b, d, f, h, k, l, t,
 * capitals, digits) than descenders (g, j, p, q, y). The result is a hint that recognition confirms.
 */
import type { GreyPicture } from './grey-picture.ts';
import { paperOf } from './grey-picture.ts';
import { inkParts, type InkPart } from './ink-parts.ts';
import { letterParts } from './print.ts';

/** Minimum letter height, in pixels; with smaller letters a pixel more or less is insignificant. */
const SMALLEST = 6;
/** Height of letters with ascenders or descenders, relative to the common letter height. */
const REACHING = { from: 1.2, to: 1.8 };
/** Tolerance for equal heights and lines, in letter heights. */
const SAME = 0.15;
/** Minimum number of ascenders and descenders. */
const FEWEST_REACHING = 20;

/** Returns the ratio of ascenders to descenders: 2 to 5 for upright pages; 1 if there are too few. */
export function reachOfLetters(picture: GreyPicture): number {
  const { letters, letterHeight } = letterParts(inkParts(picture, paperOf(picture)));
  if (letterHeight < SMALLEST) return 1;
  const height = ({ y0, y1 }: InkPart): number => y1 - y0;
  const near = SAME * letterHeight;
  const common = letters.filter((part) => Math.abs(height(part) - letterHeight) <= near);
  const reaching = letters.filter(
    (part) => height(part) >= REACHING.from * letterHeight && height(part) <= REACHING.to * letterHeight,
  );
  const rows = byRow(common, letterHeight);
  let [up, down] = [0, 0];
  for (const part of reaching) {
    const neighbour = nearest(part, rows, letterHeight);
    if (neighbour === undefined) continue;
    if (Math.abs(part.y1 - neighbour.y1) <= near) up += 1;
    else if (Math.abs(part.y0 - neighbour.y0) <= near) down += 1;
  }
  return up + down >= FEWEST_REACHING ? up / Math.max(1, down) : 1;
}

/** Groups components by the row (one letter height) that contains their centre. */
function byRow(parts: readonly InkPart[], letterHeight: number): Map<number, InkPart[]> {
  const rows = new Map<number, InkPart[]>();
  for (const part of parts) {
    const row = Math.floor((part.y0 + part.y1) / 2 / letterHeight);
    const known = rows.get(row);
    if (known === undefined) rows.set(row, [part]);
    else known.push(part);
  }
  return rows;
}

/** Returns the nearest common letter beside a component that overlaps it vertically. */
function nearest(part: InkPart, rows: ReadonlyMap<number, InkPart[]>, letterHeight: number): InkPart | undefined {
  const row = Math.floor((part.y0 + part.y1) / 2 / letterHeight);
  let best: InkPart | undefined;
  let distance = 2 * letterHeight;
  for (const other of [row - 1, row, row + 1].flatMap((at) => rows.get(at) ?? [])) {
    const gap = Math.max(other.x0 - part.x1, part.x0 - other.x1);
    if (gap < 0 || gap >= distance || other.y0 >= part.y1 || other.y1 <= part.y0) continue;
    [best, distance] = [other, gap];
  }
  return best;
}
