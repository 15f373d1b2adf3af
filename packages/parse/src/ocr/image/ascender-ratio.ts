/**
 * Detects upside-down pages: in Latin, Greek and Cyrillic print many more letters have ascenders (b, d, f, h, k, l, t,
 * capitals, digits) than descenders (g, j, p, q, y). The result is a hint that recognition confirms.
 */
import type { GreyPicture } from './grey-picture.ts';
import { estimateBackground } from './grey-picture.ts';
import { connectedComponents, type Component } from './connected-components.ts';
import { letterComponents } from './printed-text.ts';

/** Minimum letter height, in pixels; with smaller letters a pixel more or less is insignificant. */
const MIN_HEIGHT = 6;
/** Height of letters with ascenders or descenders, relative to the common letter height. */
const EXTENDED_HEIGHT = { from: 1.2, to: 1.8 };
/** Tolerance for equal heights and lines, in letter heights. */
const TOLERANCE = 0.15;
/** Minimum number of ascenders and descenders. */
const MIN_EXTENDED = 20;

/** Returns the ratio of ascenders to descenders: 2 to 5 for upright pages; 1 if there are too few. */
export function ascenderRatio(picture: GreyPicture): number {
  const { letters, letterHeight } = letterComponents(connectedComponents(picture, estimateBackground(picture)));
  if (letterHeight < MIN_HEIGHT) return 1;
  const height = ({ y0, y1 }: Component): number => y1 - y0;
  const near = TOLERANCE * letterHeight;
  const common = letters.filter((component) => Math.abs(height(component) - letterHeight) <= near);
  const extended = letters.filter(
    (component) =>
      height(component) >= EXTENDED_HEIGHT.from * letterHeight &&
      height(component) <= EXTENDED_HEIGHT.to * letterHeight,
  );
  const rows = byRow(common, letterHeight);
  let [up, down] = [0, 0];
  for (const component of extended) {
    const neighbour = nearest(component, rows, letterHeight);
    if (neighbour === undefined) continue;
    if (Math.abs(component.y1 - neighbour.y1) <= near) up += 1;
    else if (Math.abs(component.y0 - neighbour.y0) <= near) down += 1;
  }
  return up + down >= MIN_EXTENDED ? up / Math.max(1, down) : 1;
}

/** Groups components by the row (one letter height) that contains their centre. */
function byRow(components: readonly Component[], letterHeight: number): Map<number, Component[]> {
  const rows = new Map<number, Component[]>();
  for (const component of components) {
    const row = Math.floor((component.y0 + component.y1) / 2 / letterHeight);
    const known = rows.get(row);
    if (known === undefined) rows.set(row, [component]);
    else known.push(component);
  }
  return rows;
}

/** Returns the nearest common letter beside a component that overlaps it vertically. */
function nearest(
  component: Component,
  rows: ReadonlyMap<number, Component[]>,
  letterHeight: number,
): Component | undefined {
  const row = Math.floor((component.y0 + component.y1) / 2 / letterHeight);
  let best: Component | undefined;
  let distance = 2 * letterHeight;
  for (const other of [row - 1, row, row + 1].flatMap((at) => rows.get(at) ?? [])) {
    const gap = Math.max(other.x0 - component.x1, component.x0 - other.x1);
    if (gap < 0 || gap >= distance || other.y0 >= component.y1 || other.y1 <= component.y0) continue;
    [best, distance] = [other, gap];
  }
  return best;
}
