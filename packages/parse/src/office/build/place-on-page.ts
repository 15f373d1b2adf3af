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
