/**
 * Whether a page stands on its head, by a look at its letters: in Latin, Greek and Cyrillic print many more letters
 * reach up (b, d, f, h, k, l, t, capitals, figures) than down (g, j, p, q, y). A hint, not a proof: how it is read
 * tells whether it was right.
 */
import type { GreyPicture } from './grey-picture.ts';
import { paperOf } from './grey-picture.ts';
import { inkParts, type InkPart } from './ink-parts.ts';
import { letterParts } from './print.ts';

/** Of smaller letters, in pixels, a part more or less says nothing. */
const SMALLEST = 6;
/** Letters that reach beyond the others are so much higher than these. */
const REACHING = { from: 1.2, to: 1.8 };
/** What is called the same height or the same line, in letter heights. */
const SAME = 0.15;
/** Fewer letters that reach up or down tell nothing. */
const FEWEST_REACHING = 20;

/** Letters that reach up beyond the others, for one that reaches down: upright pages have 2 to 5; 1 when too few reach. */
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

/** Parts by the band of one letter height in which their middle lies. */
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

/** The common letter nearest to it sideways that overlaps it, if it stands close. */
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
