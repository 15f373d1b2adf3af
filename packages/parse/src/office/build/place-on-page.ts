import type { BlockDraft } from '@quire/blocks/block';
import type { PlacedBox } from './reading-order.ts';

/** Returns the box of a frame in 0..1 of its page, with four digits; nothing if frame or page size is not known. */
export function placeOnPage(
  frame: PlacedBox | undefined,
  size: { width: number; height: number } | undefined,
): Pick<BlockDraft, 'bbox'> {
  if (!frame || !size) return {};
  const part = (value: number, whole: number): number =>
    Math.round(Math.min(1, Math.max(0, value / whole)) * 1e4) / 1e4;
  return {
    bbox: [
      part(frame.left, size.width),
      part(frame.top, size.height),
      part(frame.right, size.width),
      part(frame.bottom, size.height),
    ],
  };
}

/** Returns the blocks with a place. Blocks inside lists get the same place, because quotes are found by their item. */
export function placedBlocks(blocks: readonly BlockDraft[], place: Pick<BlockDraft, 'page' | 'bbox'>): BlockDraft[] {
  return blocks.map((block) => ({
    ...block,
    ...place,
    ...(block.children === undefined ? {} : { children: placedBlocks(block.children, place) }),
  }));
}
