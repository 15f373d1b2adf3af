/**
 * The angle by which a scan lies askew. Tesseract copes with 2° by itself and fails from 3° on (0.98 of the characters
 * became 0.38), so only angles beyond that are worth a resampling.
 * Method: edges below dark strokes are projected along slanted rows; at the right slant baselines fall into few rows,
 * which makes the sum of squares largest.
 */
import { sharpOf, type GreyPicture } from './grey-picture.ts';

const WORKING_LONG_SIDE = 1000;
const MAX_DEGREES = 15;
const MIN_DEGREES = 0.15;
/** How much sharper the rows must be than at 0°; pictures without lines of text stay near 1. */
const MIN_GAIN = 1.3;
/** At angles that hardly show there is less to gain. */
const SMALL_DEGREES = 1.5;
const SMALL_GAIN = 1.06;
/** Grey levels between a stroke and the paper below it. */
const EDGE = 40;

interface Edges {
  x: Int32Array;
  y: Int32Array;
  width: number;
  height: number;
}

/** Degrees to turn the picture clockwise; 0 when it is straight enough, or when it holds no lines of text. */
export async function measureSkew(image: GreyPicture): Promise<number> {
  return skewOf(edgesAcross(await shrink(image)));
}

export interface Slant {
  /** The lines of text run up or down the picture. Photographs and blank pages: false. */
  stands: boolean;
  /** Degrees to turn it clockwise to set its lines straight, after a quarter turn clockwise when it stands. */
  degrees: number;
}

/** How much sharper lines must be across than along the page for it to lie on its side; text gives 3 to 30. */
const STANDING_GAIN = 2;

/** Both ways at their best angle: lines that lie askew are sharp neither along nor across. */
export async function measureSlant(image: GreyPicture): Promise<Slant> {
  const pixels = await shrink(image);
  const [lying, standing] = [edgesAcross(pixels), edgesAcross(onItsSide(pixels))];
  const [across, down] = [skewOf(lying), skewOf(standing)];
  const stands = peaks(rowsOf(standing, -down)) > STANDING_GAIN * peaks(rowsOf(lying, -across));
  return { stands, degrees: stands ? down : across };
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

/** From bin to bin, as a share of all: gaps between lines count, slow changes over the page do not. */
function peaks(bins: Uint32Array): number {
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
  const small = sharpOf(image).resize(Math.max(1, Math.round(image.width * scale)));
  const { data, info } = await small.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, at: (x, y) => data[(y * width + x) * channels] ?? 0 };
}

/** The picture after a quarter turn clockwise. */
function onItsSide({ width, height, at }: SmallPicture): SmallPicture {
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

/** Edges by slanted row. Positive angles: lines that fall to the right. */
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
