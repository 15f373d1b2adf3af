/**
 * Measures the skew of a scan. Tesseract handles 2° itself and fails from 3° on (0.98 of the characters became 0.38),
 * so only larger angles are worth a resampling.
 * Method: edges below dark strokes are projected along slanted rows; at the right angle baselines fall into few rows,
 * which maximises the sum of squares.
 */
import { toSharp, type GreyPicture } from './grey-picture.ts';

const WORKING_LONG_SIDE = 1000;
const MAX_DEGREES = 15;
const MIN_DEGREES = 0.15;
/** Minimum ratio of sharpness to that at 0°; pictures without text lines stay near 1. */
const MIN_GAIN = 1.3;
/** Reduced ratio for small angles, in degrees, where less can be gained. */
const SMALL_DEGREES = 1.5;
const SMALL_GAIN = 1.06;
/** Minimum level difference between a stroke and the background below it. */
const EDGE = 40;

interface Edges {
  x: Int32Array;
  y: Int32Array;
  width: number;
  height: number;
}

/** Returns the clockwise rotation in degrees that deskews the picture; 0 if it is straight or has no text lines. */
export async function measureSkew(image: GreyPicture): Promise<number> {
  return skewOf(edgesAcross(await shrink(image)));
}

export interface TextDirection {
  /** Whether the text lines are vertical; false for photographs and blank pages. */
  isVertical: boolean;
  /** Clockwise deskew rotation in degrees, after a quarter turn clockwise for vertical lines. */
  degrees: number;
}

/** Minimum ratio of line contrast across to along the page for vertical text; text gives 3 to 30. */
const VERTICAL_GAIN = 2;

/** Measures both directions at their best angle, because skewed lines are sharp in neither. */
export async function measureTextDirection(image: GreyPicture): Promise<TextDirection> {
  const pixels = await shrink(image);
  const [horizontal, vertical] = [edgesAcross(pixels), edgesAcross(rotatedQuarter(pixels))];
  const [across, down] = [skewOf(horizontal), skewOf(vertical)];
  const isVertical = lineContrast(rowsOf(vertical, -down)) > VERTICAL_GAIN * lineContrast(rowsOf(horizontal, -across));
  return { isVertical, degrees: isVertical ? down : across };
}

function skewOf(edges: Edges): number {
  const straight = sharpness(edges, 0);
  if (straight === 0) return 0;
  const coarse = sharpest(edges, 0, MAX_DEGREES, 0.5);
  const fine = sharpest(edges, coarse, 0.4, 0.1);
  if (Math.abs(fine) < MIN_DEGREES || Math.abs(fine) >= MAX_DEGREES) return 0;
  const needed = Math.abs(fine) < SMALL_DEGREES ? SMALL_GAIN : MIN_GAIN;
  return sharpness(edges, fine) > needed * straight ? -fine : 0;
}

/** Measures the contrast between neighbouring bins, relative to the total: line gaps count, gradual changes do not. */
function lineContrast(bins: Uint32Array): number {
  const total = bins.reduce((sum, count) => sum + count, 0);
  let steps = 0;
  for (let index = 4; index < bins.length; index += 1) steps += ((bins[index] ?? 0) - (bins[index - 4] ?? 0)) ** 2;
  return total === 0 ? 0 : (steps * bins.length) / total ** 2;
}

interface SmallPicture {
  width: number;
  height: number;
  at: (x: number, y: number) => number;
}

async function shrink(image: GreyPicture): Promise<SmallPicture> {
  const scale = Math.min(1, WORKING_LONG_SIDE / Math.max(image.width, image.height));
  const small = toSharp(image).resize(Math.max(1, Math.round(image.width * scale)));
  const { data, info } = await small.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, at: (x, y) => data[(y * width + x) * channels] ?? 0 };
}

/** Returns the picture rotated clockwise by a quarter turn. */
function rotatedQuarter({ width, height, at }: SmallPicture): SmallPicture {
  return { width: height, height: width, at: (x, y) => at(y, height - 1 - x) };
}

function edgesAcross(pixels: SmallPicture): Edges {
  const x: number[] = [];
  const y: number[] = [];
  for (let row = 0; row < pixels.height - 1; row += 1) {
    for (let column = 0; column < pixels.width; column += 1) {
      if (pixels.at(column, row + 1) - pixels.at(column, row) < EDGE) continue;
      x.push(column);
      y.push(row);
    }
  }
  return { x: Int32Array.from(x), y: Int32Array.from(y), width: pixels.width, height: pixels.height };
}

function sharpest(edges: Edges, around: number, range: number, step: number): number {
  let best = around;
  let score = sharpness(edges, around);
  for (let offset = -range; offset <= range + 1e-9; offset += step) {
    const candidate = sharpness(edges, around + offset);
    if (candidate <= score) continue;
    score = candidate;
    best = around + offset;
  }
  return best;
}

function sharpness(edges: Edges, degrees: number): number {
  let sum = 0;
  for (const count of rowsOf(edges, degrees)) sum += count * count;
  return sum;
}

/** Counts edges by slanted row. Positive angles: lines that fall to the right. */
function rowsOf({ x, y, width, height }: Edges, degrees: number): Uint32Array {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const shift = slope > 0 ? Math.ceil(width * slope) : 0;
  const rows = new Uint32Array(height + Math.ceil(width * Math.abs(slope)) + 2);
  for (let index = 0; index < x.length; index += 1) {
    const row = Math.round((y[index] ?? 0) - (x[index] ?? 0) * slope) + shift;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  return rows;
}
