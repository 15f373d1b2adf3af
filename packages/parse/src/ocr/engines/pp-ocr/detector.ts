/** Runs the detector on a picture. */
import type { InferenceSession } from 'onnxruntime-node';
import { toSharp, type GreyPicture } from '../../image/grey-picture.ts';
import { inputPlanes } from './input-planes.ts';
import { findLineRegions, type LineRegion } from './line-regions.ts';
import type { Runtime } from './model-files.ts';

/**
 * Number of pixels of the detector's input: a share of the picture's, within limits. Time and memory are proportional
 * to it. A4 has 800,000 pixels at 92 dpi, which suffices for print of 8 points.
 */
const PIXEL_SHARE = 1 / 8;
const MIN_PIXELS = 800_000;
const MAX_PIXELS = 1_600_000;
/** The detector reduces its input by this factor. */
const SIDE_STEP = 32;
/** Returns the text lines of a picture in its pixels, unordered. */
export async function detectLines(
  { Tensor }: Runtime,
  session: InferenceSession,
  picture: GreyPicture,
): Promise<LineRegion[]> {
  const area = picture.width * picture.height;
  const pixels = Math.min(MAX_PIXELS, Math.max(MIN_PIXELS, PIXEL_SHARE * area));
  const scale = Math.min(1, Math.sqrt(pixels / area));
  const side = (length: number): number => Math.max(1, Math.round((length * scale) / SIDE_STEP)) * SIDE_STEP;
  const [width, height] = [side(picture.width), side(picture.height)];
  const resized = toSharp(picture).resize(width, height, { fit: 'fill', kernel: 'cubic' });
  const input = inputPlanes(await resized.toColourspace('b-w').raw().toBuffer(), 3);
  const output = await session.run({ x: new Tensor('float32', input, [1, 3, height, width]) });
  const values = output[session.outputNames[0] ?? '']?.data;
  if (!(values instanceof Float32Array)) throw new Error('The detector gives no probabilities');
  const [sx, sy] = [picture.width / width, picture.height / height];
  return findLineRegions({ values, width, height }).map((region) => ({
    x: region.x * sx,
    y: region.y * sy,
    width: region.width * sx,
    height: region.height * sy,
    slope: (region.slope * sy) / sx,
  }));
}
