/** Computes positions of shapes on a slide through nested groups. The caller resolves inheritance from the layout. */
import type { BoundingBox } from '@quire/blocks/block';
import { child, integerAttribute } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';

/** Position in EMU (914,400 per inch) from the slide's top left corner. */
export interface Frame {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Maps the inner coordinates of a group to those of the slide. */
export interface Transform {
  scaleX: number;
  scaleY: number;
  offsetX: number;
  offsetY: number;
}

export const IDENTITY: Transform = { scaleX: 1, scaleY: 1, offsetX: 0, offsetY: 0 };

/** Returns the frame of an `a:xfrm` or `p:xfrm`. */
export function readFrame(xfrm: XmlElement | undefined, transform: Transform): Frame | undefined {
  const raw = rawFrame(xfrm, 'a:off', 'a:ext');
  if (!raw) return undefined;
  const left = raw.left * transform.scaleX + transform.offsetX;
  const top = raw.top * transform.scaleY + transform.offsetY;
  return { left, top, right: left + raw.width * transform.scaleX, bottom: top + raw.height * transform.scaleY };
}

/** Returns the transform for the members of a group from its `a:xfrm`. */
export function groupTransform(xfrm: XmlElement | undefined, outer: Transform): Transform {
  const outside = rawFrame(xfrm, 'a:off', 'a:ext');
  const inside = rawFrame(xfrm, 'a:chOff', 'a:chExt');
  if (!outside || !inside || inside.width <= 0 || inside.height <= 0) return outer;
  const scaleX = outside.width / inside.width;
  const scaleY = outside.height / inside.height;
  return {
    scaleX: outer.scaleX * scaleX,
    scaleY: outer.scaleY * scaleY,
    offsetX: outer.offsetX + outer.scaleX * (outside.left - inside.left * scaleX),
    offsetY: outer.offsetY + outer.scaleY * (outside.top - inside.top * scaleY),
  };
}

function rawFrame(
  xfrm: XmlElement | undefined,
  offsetName: string,
  extentName: string,
): { left: number; top: number; width: number; height: number } | undefined {
  const offset = child(xfrm, offsetName);
  const extent = child(xfrm, extentName);
  const left = integerAttribute(offset, 'x');
  const top = integerAttribute(offset, 'y');
  if (left === undefined || top === undefined) return undefined;
  return { left, top, width: integerAttribute(extent, 'cx') ?? 0, height: integerAttribute(extent, 'cy') ?? 0 };
}

export function toBoundingBox(frame: Frame, width: number, height: number): BoundingBox {
  const part = (value: number, size: number): number => Math.round(Math.min(1, Math.max(0, value / size)) * 1e4) / 1e4;
  return [part(frame.left, width), part(frame.top, height), part(frame.right, width), part(frame.bottom, height)];
}
