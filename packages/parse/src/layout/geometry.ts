/** A box in points from the top left corner of the reading frame; y grows downwards. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export const width = (box: Box): number => box.x1 - box.x0;
export const height = (box: Box): number => box.y1 - box.y0;
export const area = (box: Box): number => Math.max(0, width(box)) * Math.max(0, height(box));
export const centreX = (box: Box): number => (box.x0 + box.x1) / 2;
export const centreY = (box: Box): number => (box.y0 + box.y1) / 2;

export const copyBox = (box: Box): Box => ({ x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1 });

/** Returns the overlap of two boxes along x; negative for a gap. */
export const overlapX = (a: Box, b: Box): number => Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
export const overlapY = (a: Box, b: Box): number => Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);

export const intersects = (a: Box, b: Box): boolean => overlapX(a, b) > 0 && overlapY(a, b) > 0;

/** Returns the area shared by two boxes. */
export const overlapArea = (a: Box, b: Box): number => Math.max(0, overlapX(a, b)) * Math.max(0, overlapY(a, b));

export const holdsPoint = (box: Box, x: number, y: number): boolean =>
  x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;

export const holdsCentre = (outer: Box, inner: Box): boolean => holdsPoint(outer, centreX(inner), centreY(inner));

export const grow = (box: Box, by: number): Box => ({
  x0: box.x0 - by,
  y0: box.y0 - by,
  x1: box.x1 + by,
  y1: box.y1 + by,
});

/** Extends `target` in place to contain `box`. */
export function include(target: Box, box: Box): void {
  if (box.x0 < target.x0) target.x0 = box.x0;
  if (box.y0 < target.y0) target.y0 = box.y0;
  if (box.x1 > target.x1) target.x1 = box.x1;
  if (box.y1 > target.y1) target.y1 = box.y1;
}

/**
 * Returns the smallest box around `boxes`; an empty box at the origin for none. The edges are local variables, as in
 * other loops over words, because V8 allocates a number for each edge read from objects of many shapes.
 */
export function boundsOf(boxes: Iterable<Box>): Box {
  let [x0, y0, x1, y1] = [0, 0, 0, 0];
  let isFirst = true;
  for (const box of boxes) {
    if (isFirst || box.x0 < x0) x0 = box.x0;
    if (isFirst || box.y0 < y0) y0 = box.y0;
    if (isFirst || box.x1 > x1) x1 = box.x1;
    if (isFirst || box.y1 > y1) y1 = box.y1;
    isFirst = false;
  }
  return { x0, y0, x1, y1 };
}
