/** Transforms and compares boxes in page space. */
import { apply, type Matrix } from '@quire/parse/formats/pdf/matrix';
import type { PageBox } from '../../page-geometry.ts';

/** Returns the bounding box of the transformed box. */
export function mapBox(m: Matrix, [left, bottom, right, top]: PageBox): PageBox {
  const corners = [apply(m, left, bottom), apply(m, right, bottom), apply(m, left, top), apply(m, right, top)];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

export const overlaps = (a: PageBox, b: PageBox): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

export const isWithin = (inner: PageBox, outer: PageBox): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];
