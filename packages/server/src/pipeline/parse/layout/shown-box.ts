/** Boxes on the page as a reader sees it. */
import type { BoundingBox } from '../../../content/block.ts';
import type { Box } from './geometry.ts';

export type QuarterTurns = 0 | 1 | 2 | 3;

const clamp = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 1e4) / 1e4));

/** A box of the reading frame as a share of the page as it is shown; `turn` leads from the shown page to the frame. */
export function shownBox(box: Box, width: number, height: number, turn: QuarterTurns): BoundingBox {
  const x0 = clamp(box.x0 / width);
  const x1 = clamp(box.x1 / width);
  const y0 = clamp(box.y0 / height);
  const y1 = clamp(box.y1 / height);
  if (turn === 1) return [y0, clamp(1 - x1), y1, clamp(1 - x0)];
  if (turn === 2) return [clamp(1 - x1), clamp(1 - y1), clamp(1 - x0), clamp(1 - y0)];
  if (turn === 3) return [clamp(1 - y1), x0, clamp(1 - y0), x1];
  return [x0, y0, x1, y1];
}
