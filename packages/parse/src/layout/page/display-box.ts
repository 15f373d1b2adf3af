/** Maps boxes to the displayed page. */
import type { BoundingBox } from '@quire/blocks/block';
import type { Box } from '../geometry.ts';

export type QuarterTurns = 0 | 1 | 2 | 3;

/** Maps a box (0..1) of the rotated page to the page before rotation; `turn` counts clockwise quarter turns. */
export function undoRotation([x0, y0, x1, y1]: BoundingBox, turn: QuarterTurns): BoundingBox {
  if (turn === 1) return [y0, 1 - x1, y1, 1 - x0];
  if (turn === 2) return [1 - x1, 1 - y1, 1 - x0, 1 - y0];
  if (turn === 3) return [1 - y1, x0, 1 - y0, x1];
  return [x0, y0, x1, y1];
}

const clamp = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 1e4) / 1e4));

/** Maps a box of the reading frame to 0..1 of the displayed page; `turn` leads from the displayed page to the frame. */
export function displayBox(box: Box, width: number, height: number, turn: QuarterTurns): BoundingBox {
  const [x0, y0, x1, y1] = undoRotation([box.x0 / width, box.y0 / height, box.x1 / width, box.y1 / height], turn);
  return [clamp(x0), clamp(y0), clamp(x1), clamp(y1)];
}
