/** Cuts boxes out of the picture of a page, or marks them on it like a highlighter does. */
import sharp, { type OverlayOptions } from 'sharp';
import type { BoundingBox } from '@quire/blocks/block';
import { encodePicture } from './encode-picture.ts';

export interface MarkInput {
  /** The picture of a whole page, drawn by `drawPage`. */
  picture: Buffer;
  boxes: readonly BoundingBox[];
  /** Whether the boxes are marked on the whole page; otherwise the picture is cropped to the area that holds them. */
  mark: boolean;
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

const YELLOW = '#ffe14d';
const FRAME = '#d99a00';
/** Width of the frame around a mark, as a share of the picture's width. */
const FRAME_SHARE = 1 / 800;
/** Rounding errors of products of edges and sizes, in pixels. */
const ROUNDING = 1e-6;

export async function markPicture({ picture, boxes, mark }: MarkInput): Promise<Buffer> {
  const image = sharp(picture);
  const { width, height } = await image.metadata();
  if (!mark) return encodePicture(image.extract(areaOf(hull(boxes), width, height)));
  const thickness = Math.max(1, Math.round(width * FRAME_SHARE));
  const overlays = boxes.flatMap((box) => highlight(areaOf(box, width, height), thickness));
  return encodePicture(image.composite(overlays));
}

/** Returns the smallest box that holds all boxes. */
function hull(boxes: readonly BoundingBox[]): BoundingBox {
  const edges = (index: number): number[] => boxes.map((box) => box[index] ?? 0);
  return [Math.min(...edges(0)), Math.min(...edges(1)), Math.max(...edges(2)), Math.max(...edges(3))];
}

/** Returns the pixels that the box touches; at least one. */
function areaOf([x0, y0, x1, y1]: BoundingBox, width: number, height: number): Area {
  const left = Math.min(width - 1, Math.floor(x0 * width + ROUNDING));
  const top = Math.min(height - 1, Math.floor(y0 * height + ROUNDING));
  const right = Math.max(left + 1, Math.min(width, Math.ceil(x1 * width - ROUNDING)));
  const bottom = Math.max(top + 1, Math.min(height, Math.ceil(y1 * height - ROUNDING)));
  return { left, top, width: right - left, height: bottom - top };
}

/** Returns the overlays of a mark: the area, whose dark text stays legible, and its frame. */
function highlight({ left, top, width, height }: Area, thickness: number): OverlayOptions[] {
  const across = Math.min(thickness, height);
  const along = Math.min(thickness, width);
  return [
    { ...filled(width, height, YELLOW), left, top, blend: 'multiply' },
    { ...filled(width, across, FRAME), left, top },
    { ...filled(width, across, FRAME), left, top: top + height - across },
    { ...filled(along, height, FRAME), left, top },
    { ...filled(along, height, FRAME), left: left + width - along, top },
  ];
}

const filled = (width: number, height: number, background: string): OverlayOptions => ({
  input: { create: { width, height, channels: 3, background } },
});
