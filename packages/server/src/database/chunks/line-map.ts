/** Stores the line map of a chunk as a flat array of integers, which takes a fifth of the space of JSON. */
import type { TextLine } from '@quire/blocks/block';
import type { BlockPart } from '@quire/text/chunk/text-spans';

/**
 * Integers per line: start, end, page, x0, y0, x1, y1. A part of a block without a position has page 0, then the index
 * of the block among the chunk's blocks, the offset in its text (-1 for none), and twice 0.
 */
const LINE_LENGTH = 7;
/** Steps of a box edge, which is in 0..1 of the page. */
const BOX_SCALE = 100_000;

const NO_POSITION = 0;
const NO_OFFSET = -1;

export interface ChunkPlaces {
  lines: TextLine[];
  parts: BlockPart[];
}

interface PlacedChunk {
  lines?: readonly TextLine[];
  parts?: readonly BlockPart[];
  blockIds: readonly string[];
}

/** Returns null for a chunk of unknown origin. */
export function encodeLineMap({ lines = [], parts = [], blockIds }: PlacedChunk): number[] | null {
  if (lines.length === 0 && parts.length === 0) return null;
  const places = lines.flatMap(({ start, end, page, box }) => [
    start,
    end,
    page,
    ...box.map((edge) => Math.round(edge * BOX_SCALE)),
  ]);
  const indexes = new Map(blockIds.map((id, index) => [id, index]));
  for (const { start, end, blockId, offset } of parts) {
    places.push(start, end, NO_POSITION, indexes.get(blockId) ?? -1, offset ?? NO_OFFSET, 0, 0);
  }
  return places;
}

export function decodeLineMap(values: readonly number[] | null, blockIds: readonly string[]): ChunkPlaces {
  const lines: TextLine[] = [];
  const parts: BlockPart[] = [];
  const stored = values ?? [];
  for (let at = 0; at + LINE_LENGTH <= stored.length; at += LINE_LENGTH) {
    const [start = 0, end = 0, page = 0, ...edges] = stored.slice(at, at + LINE_LENGTH);
    if (page === NO_POSITION) {
      const [index = 0, offset = NO_OFFSET] = edges;
      const blockId = blockIds[index];
      if (blockId !== undefined) parts.push({ start, end, blockId, offset: offset === NO_OFFSET ? null : offset });
      continue;
    }
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = edges.map((edge) => edge / BOX_SCALE);
    lines.push({ start, end, page, box: [x0, y0, x1, y1] });
  }
  return { lines, parts };
}
