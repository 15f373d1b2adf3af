import type { BoundingBox } from '@quire/blocks/block';
import type { ChunkBox } from './chunk.ts';

/** Maximum number of boxes per page; above it, one box encloses them all. */
const MAX_BOXES_PER_PAGE = 8;
const WHOLE_PAGE: BoundingBox = [0, 0, 1, 1];

export interface Place {
  page: number;
  bbox: BoundingBox | undefined;
}

/**
 * Returns the place of a chunk: neighbouring blocks of one column share a box, and pages are in order. A page whose
 * blocks have no boxes (slides, sheets) is marked as a whole.
 */
export function chunkBoxes(places: readonly Place[]): ChunkBox[] {
  const pages = new Map<number, BoundingBox[]>();
  for (const { page, bbox } of places) {
    const boxes = pages.get(page) ?? [];
    pages.set(page, boxes);
    const last = boxes.at(-1);
    if (bbox === undefined) continue;
    if (last !== undefined && continues(last, bbox)) boxes[boxes.length - 1] = union(last, bbox);
    else boxes.push(bbox);
  }
  return [...pages].toSorted(([a], [b]) => a - b).flatMap(([page, boxes]) => pageBoxes(page, boxes));
}

function pageBoxes(page: number, boxes: readonly BoundingBox[]): ChunkBox[] {
  const [first] = boxes;
  if (first === undefined) return [{ page, bbox: WHOLE_PAGE }];
  const shown = boxes.length > MAX_BOXES_PER_PAGE ? [boxes.reduce(union)] : boxes;
  return shown.map((bbox) => ({ page, bbox }));
}

/**
 * Returns whether a box continues the one above: at most a twentieth of the page below it, and mostly in its column.
 */
function continues(above: BoundingBox, below: BoundingBox): boolean {
  const overlap = Math.min(above[2], below[2]) - Math.max(above[0], below[0]);
  const narrower = Math.min(above[2] - above[0], below[2] - below[0]);
  return below[1] >= above[1] && below[1] - above[3] <= 0.05 && overlap >= 0.6 * narrower;
}

function union(a: BoundingBox, b: BoundingBox): BoundingBox {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
