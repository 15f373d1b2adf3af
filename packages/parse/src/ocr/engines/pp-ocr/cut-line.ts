/** Cuts a line out of a picture, straight and at the recogniser's height. */
import type { GreyPicture } from '../../image/grey-picture.ts';
import type { LineRegion } from './line-regions.ts';

/** Height of the recogniser's input in pixels. */
export const LINE_HEIGHT = 48;
/** Minimum and maximum width of the recogniser's input in pixels; longer lines are compressed. */
const MIN_WIDTH = 32;
const MAX_WIDTH = 3200;
/** Widths are multiples of this number, the width of the recogniser's steps. */
export const STEP_WIDTH = 8;
/** Maximum number of samples per pixel and axis. */
const MAX_SAMPLES = 6;

export interface LinePicture {
  /** Levels row by row, 0 is black. */
  levels: Uint8Array;
  width: number;
  /** Returns a box of the line picture in pixels of the whole picture. */
  boxOf(box: LineBox): [number, number, number, number];
}

/** A box in pixels of the line picture. */
export interface LineBox {
  u0: number;
  v0: number;
  u1: number;
  v1: number;
}

/**
 * Cuts a line; its width is `compression` times that of its proportions. A line that runs from top to bottom
 * (`isVertical`) is turned to the left.
 */
export function cutLine(
  picture: GreyPicture,
  region: LineRegion,
  isVertical: boolean,
  compression: number,
): LinePicture {
  const [length, thickness] = isVertical ? [region.height, region.width] : [region.width, region.height];
  const ideal = (length / thickness) * LINE_HEIGHT * compression;
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.ceil(ideal / STEP_WIDTH) * STEP_WIDTH));
  const toPicture = isVertical
    ? (u: number, v: number): [number, number] => [
        region.x + region.width * (1 - v / LINE_HEIGHT),
        region.y - region.height / 2 + (u / width) * region.height,
      ]
    : (u: number, v: number): [number, number] => {
        const along = (u / width) * region.width;
        return [region.x + along, region.y + region.slope * along + (v / LINE_HEIGHT - 0.5) * region.height];
      };
  const samples = Math.min(MAX_SAMPLES, Math.max(1, Math.round(thickness / LINE_HEIGHT)));
  const levels = new Uint8Array(width * LINE_HEIGHT);
  const [x0, y0] = toPicture(0, 0);
  const [xu, yu] = difference(toPicture(1, 0), [x0, y0]);
  const [xv, yv] = difference(toPicture(0, 1), [x0, y0]);
  for (let v = 0; v < LINE_HEIGHT; v += 1) {
    for (let u = 0; u < width; u += 1) {
      let sum = 0;
      for (let i = 0; i < samples; i += 1) {
        const across = v + (i + 0.5) / samples;
        for (let j = 0; j < samples; j += 1) {
          const along = u + (j + 0.5) / samples;
          sum += levelAt(picture, x0 + along * xu + across * xv - 0.5, y0 + along * yu + across * yv - 0.5);
        }
      }
      levels[v * width + u] = sum / (samples * samples);
    }
  }
  const boxOf = ({ u0, v0, u1, v1 }: LineBox): [number, number, number, number] => {
    // A sloping line is at the height that it has in the middle of the box.
    const middle = (u0 + u1) / 2;
    const [start, end] = isVertical
      ? [toPicture(u0, v1), toPicture(u1, v0)]
      : [toPicture(middle, v0), toPicture(middle, v1)];
    return isVertical ? [...start, ...end] : [toPicture(u0, v0)[0], start[1], toPicture(u1, v1)[0], end[1]];
  };
  return { levels, width, boxOf };
}

const difference = (a: readonly [number, number], b: readonly [number, number]): [number, number] => [
  a[0] - b[0],
  a[1] - b[1],
];

/** Returns the level at a point by bilinear interpolation; points outside take the nearest pixel. */
function levelAt({ pixels, width, height }: GreyPicture, x: number, y: number): number {
  const cx = x < 0 ? 0 : x > width - 1 ? width - 1 : x;
  const cy = y < 0 ? 0 : y > height - 1 ? height - 1 : y;
  const [left, top] = [Math.floor(cx), Math.floor(cy)];
  const [right, below] = [left + 1 < width ? 1 : 0, top + 1 < height ? width : 0];
  const [fx, fy] = [cx - left, cy - top];
  const at = top * width + left;
  const upper = (pixels[at] ?? 0) * (1 - fx) + (pixels[at + right] ?? 0) * fx;
  const lower = (pixels[at + below] ?? 0) * (1 - fx) + (pixels[at + below + right] ?? 0) * fx;
  return upper * (1 - fy) + lower * fy;
}
