/** Grey pixels as all steps of OCR share them: decoded once, read by the engines without another compression. */
import sharp, { type Sharp } from 'sharp';

export interface GreyPicture {
  /** One byte a pixel, 0 is black; rows from the top, no padding. */
  pixels: Buffer;
  width: number;
  height: number;
  /** Dots per inch, when known. */
  dpi?: number;
}

/** The picture as a PGM file: a header of a few bytes before the pixels. */
export function pgmOf({ pixels, width, height }: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

export function sharpOf({ pixels, width, height }: GreyPicture): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 1 }, limitInputPixels: false });
}

/** What a pipeline of sharp makes, in grey. */
export async function greyOf(pipeline: Sharp, dpi: number | undefined): Promise<GreyPicture> {
  const { data, info } = await pipeline.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const picture = { pixels: data, width: info.width, height: info.height };
  return dpi === undefined ? picture : { ...picture, dpi };
}

/** Nothing on it is darker than a breath of grey. */
export const isBlank = ({ pixels }: GreyPicture): boolean => pixels.every((level) => level > 235);

/** Side of the squares by which paper is told from ink: larger than letters, smaller than shadows. */
const TILE = 48;
/** The level that this share of a square's pixels does not reach is its paper: strokes cover less than the rest. */
const PAPER_RANK = 0.8;

/** The level of the paper around each square of a picture. */
export interface Paper {
  /** By row; each of a square of `tile` pixels a side. */
  levels: Uint8Array;
  columns: number;
  rows: number;
  tile: number;
  at(x: number, y: number): number;
  /** Of the darkest and the lightest square, letting a twentieth of them go. */
  darkest: number;
  lightest: number;
}

export function paperOf(picture: GreyPicture): Paper {
  const [columns, rows] = [Math.ceil(picture.width / TILE), Math.ceil(picture.height / TILE)];
  const levels = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1)
      levels[row * columns + column] = paperOfTile(picture, column, row);
  }
  const sorted = levels.toSorted();
  return {
    levels,
    columns,
    rows,
    tile: TILE,
    at: (x, y) => levels[Math.floor(y / TILE) * columns + Math.floor(x / TILE)] ?? 255,
    darkest: sorted[Math.floor(sorted.length * 0.05)] ?? 255,
    lightest: sorted[Math.floor(sorted.length * 0.95)] ?? 255,
  };
}

function paperOfTile({ pixels, width, height }: GreyPicture, column: number, row: number): number {
  const counts = new Uint32Array(256);
  let total = 0;
  const [right, bottom] = [Math.min(width, (column + 1) * TILE), Math.min(height, (row + 1) * TILE)];
  // Every other pixel both ways tells enough.
  for (let y = row * TILE; y < bottom; y += 2) {
    for (let x = column * TILE; x < right; x += 2) {
      const level = pixels[y * width + x] ?? 0;
      counts[level] = (counts[level] ?? 0) + 1;
      total += 1;
    }
  }
  let seen = 0;
  for (let level = 0; level < 256; level += 1) {
    seen += counts[level] ?? 0;
    if (seen > PAPER_RANK * total) return level;
  }
  return 255;
}
