/**
 * Converts between a page as displayed (0..1 from its top left corner) and page space (points, y upwards, unrotated).
 */
import type { PDFPage } from '@cantoo/pdf-lib';
import type { BoundingBox } from '@quire/blocks/block';

/** `[left, bottom, right, top]` in page space. */
export type PageBox = readonly [left: number, bottom: number, right: number, top: number];

export interface PageGeometry {
  bounds: PageBox;
  /** Clockwise quarter turns of the page as displayed. */
  turns: number;
}

export function geometryOf(page: PDFPage): PageGeometry {
  const { x, y, width, height } = page.getCropBox();
  const media = page.getMediaBox();
  const bounds: PageBox = [
    Math.max(x, media.x),
    Math.max(y, media.y),
    Math.min(x + width, media.x + media.width),
    Math.min(y + height, media.y + media.height),
  ];
  const turns = ((Math.round(page.getRotation().angle / 90) % 4) + 4) % 4;
  return { bounds, turns };
}

/** Returns width and height as displayed, in points. */
export function shownSize({ bounds, turns }: PageGeometry): [width: number, height: number] {
  const [left, bottom, right, top] = bounds;
  return turns % 2 === 0 ? [right - left, top - bottom] : [top - bottom, right - left];
}

/** Converts `x` and `y`, in points from the top left corner of the page as displayed. */
export function toPageSpace({ bounds, turns }: PageGeometry, x: number, y: number): [x: number, y: number] {
  const [left, bottom, right, top] = bounds;
  if (turns === 1) return [left + y, bottom + x];
  if (turns === 2) return [right - x, bottom + y];
  return turns === 3 ? [right - y, top - x] : [left + x, top - y];
}

export function boxInPageSpace(geometry: PageGeometry, [x0, y0, x1, y1]: BoundingBox): PageBox {
  const [width, height] = shownSize(geometry);
  const [xA, yA] = toPageSpace(geometry, x0 * width, y0 * height);
  const [xB, yB] = toPageSpace(geometry, x1 * width, y1 * height);
  return [Math.min(xA, xB), Math.min(yA, yB), Math.max(xA, xB), Math.max(yA, yB)];
}
