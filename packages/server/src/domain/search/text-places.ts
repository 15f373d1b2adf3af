/** Finds the places of a range of a chunk's text: boxes on pages, and parts of blocks of formats without pages. */
import type { BoundingBox } from '@quire/blocks/block';
import { boxesOfRange, linesWithin } from '@quire/blocks/text-lines';
import type { ChunkPlaces } from '../../database/chunks/line-map.ts';

export interface PlacedBox {
  page: number;
  bbox: BoundingBox;
}

/** A range of a block's text; without offsets, the whole block. */
export interface BlockRange {
  blockId: string;
  /** Range `[start, end)` of the block's text, in UTF-16 code units. */
  start?: number;
  end?: number;
}

/** Returns the boxes of the lines that hold `[start, end)`, on every page that they touch. */
export const boxesOfText = ({ lines }: ChunkPlaces, start: number, end: number): PlacedBox[] =>
  boxesOfRange({ lines }, start, end).map(({ page, box }) => ({ page, bbox: box }));

/** Returns the ranges of blocks without a position that hold `[start, end)`. */
export function blocksOfText({ parts }: ChunkPlaces, start: number, end: number): BlockRange[] {
  return linesWithin(parts, start, end).map(({ blockId, offset, ...part }) => {
    if (offset === null) return { blockId };
    const from = Math.max(start, part.start);
    const to = Math.min(end, part.end);
    return { blockId, start: offset + from - part.start, end: offset + to - part.start };
  });
}

/** Returns the boxes of all ranges; each line once. */
export function boxesOfRanges(places: ChunkPlaces, ranges: readonly (readonly [number, number])[]): PlacedBox[] {
  const boxes: PlacedBox[] = [];
  for (const [start, end] of ranges) {
    for (const box of boxesOfText(places, start, end)) {
      const last = boxes.at(-1);
      if (last?.page !== box.page || !last.bbox.every((edge, index) => edge === box.bbox[index])) boxes.push(box);
    }
  }
  return boxes;
}
