/** Runs the detector on a picture. */
import type { InferenceSession } from 'onnxruntime-node';
import { toSharp, type GreyPicture } from '../../image/grey-picture.ts';
import { findLineRegions, type LineRegion } from './line-regions.ts';
import type { Runtime } from './model-files.ts';

/** Maximum number of pixels of the detector's input: A4 at 116 dpi. Time and memory are proportional to it. */
const MAX_PIXELS = 1_280_000;
/** The detector reduces its input by this factor. */
const SIDE_STEP = 32;
/** Maximum scale of the input; larger letters are not found better. */
const MAX_SCALE = 1;

/** Returns the text lines of a picture in its pixels, unordered. */
export async function detectLines(
  { Tensor }: Runtime,
  session: InferenceSession,
  picture: GreyPicture,
): Promise<LineRegion[]> {
  const scale = Math.min(MAX_SCALE, Math.sqrt(MAX_PIXELS / (picture.width * picture.height)));
  const side = (length: number): number => Math.max(1, Math.round((length * scale) / SIDE_STEP)) * SIDE_STEP;
  const [width, height] = [side(picture.width), side(picture.height)];
  const resized = toSharp(picture).resize(width, height, { fit: 'fill', kernel: 'cubic' });
  const pixels = await resized.toColourspace('b-w').raw().toBuffer();
  const plane = width * height;
  const input = new Float32Array(3 * plane);
  for (let at = 0; at < plane; at += 1) input[at] = (pixels[at] ?? 0) / 127.5 - 1;
  input.copyWithin(plane, 0, plane);
  input.copyWithin(2 * plane, 0, plane);
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
