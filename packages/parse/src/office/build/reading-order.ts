/**
 * Finds the reading order of boxes on a slide by splitting the page recursively at its widest blank gap, horizontal or
 * vertical. So a heading and its text stay together in their column, and rows of cards are read row by row.
 */
export interface PlacedBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Overlap of neighbouring boxes that is ignored, as a share of the page: boxes overlap slightly although their texts do
 * not.
 */
const TOLERANCE = 0.01;

/**
 * Sorts boxes. `size` is the longer side of the page in the unit of the boxes. Boxes that no gap separates are ordered
 * by top, then left.
 */
export function inReadingOrder<T extends { frame: PlacedBox }>(boxes: readonly T[], size: number): T[] {
  if (boxes.length < 2) return [...boxes];
  const down = widestGap(boxes, 'top', 'bottom');
  const across = widestGap(boxes, 'left', 'right');
  const least = -TOLERANCE * size;
  if (down.gap <= least && across.gap <= least) {
    return boxes.toSorted((a, b) => a.frame.top - b.frame.top || a.frame.left - b.frame.left);
  }
  const [first, second] = down.gap >= across.gap ? [down.before, down.after] : [across.before, across.after];
  return [...inReadingOrder(first, size), ...inReadingOrder(second, size)];
}

interface Cut<T> {
  gap: number;
  before: T[];
  after: T[];
}

function widestGap<T extends { frame: PlacedBox }>(
  boxes: readonly T[],
  start: 'top' | 'left',
  end: 'bottom' | 'right',
): Cut<T> {
  const sorted = boxes.toSorted((a, b) => a.frame[start] - b.frame[start]);
  let reached = sorted[0]?.frame[end] ?? 0;
  let best = { gap: -Infinity, index: 1 };
  for (let index = 1; index < sorted.length; index += 1) {
    const frame = sorted[index]?.frame;
    if (!frame) continue;
    const gap = frame[start] - reached;
    if (gap > best.gap) best = { gap, index };
    reached = Math.max(reached, frame[end]);
  }
  return { gap: best.gap, before: sorted.slice(0, best.index), after: sorted.slice(best.index) };
}
