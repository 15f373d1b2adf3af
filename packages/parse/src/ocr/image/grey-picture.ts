/** Greyscale pixels shared by all OCR steps: decoded once and passed to the engines without recompression. */
import sharp, { type Sharp } from 'sharp';

export interface GreyPicture {
  /** One byte per pixel, 0 is black; rows from the top, without padding. */
  pixels: Buffer;
  width: number;
  height: number;
  /** Resolution in dots per inch, if known. */
  dpi?: number;
}

/** Encodes the picture as PGM: a short header before the pixels. */
export function toPgm({ pixels, width, height }: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

export function toSharp({ pixels, width, height }: GreyPicture): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 1 }, limitInputPixels: false });
}

/** Runs a sharp pipeline and returns its output in greyscale. */
export async function fromSharp(pipeline: Sharp, dpi: number | undefined): Promise<GreyPicture> {
  const { data, info } = await pipeline.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const picture = { pixels: data, width: info.width, height: info.height };
  return dpi === undefined ? picture : { ...picture, dpi };
}

/** Checks that no pixel is darker than very light grey. */
export const isBlank = ({ pixels }: GreyPicture): boolean => pixels.every((level) => level > 235);

/** Tile size, in pixels, of the background estimate: larger than letters, smaller than shadows. */
const TILE = 48;
/** Quantile of a tile's levels that is its background, because strokes cover less area than paper. */
const BACKGROUND_QUANTILE = 0.8;

/** Background level of each tile of a picture. */
export interface Background {
  /** Levels by row, one per square of `tile` pixels. */
  levels: Uint8Array;
  columns: number;
  rows: number;
  tile: number;
  at(x: number, y: number): number;
  /** Background levels of the darkest and lightest tile, without the extreme 5 %. */
  darkest: number;
  lightest: number;
}

export function estimateBackground(picture: GreyPicture): Background {
  const [columns, rows] = [Math.ceil(picture.width / TILE), Math.ceil(picture.height / TILE)];
  const levels = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1)
      levels[row * columns + column] = backgroundOfTile(picture, column, row);
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

function backgroundOfTile({ pixels, width, height }: GreyPicture, column: number, row: number): number {
  const counts = new Uint32Array(256);
  let total = 0;
  const [right, bottom] = [Math.min(width, (column + 1) * TILE), Math.min(height, (row + 1) * TILE)];
  // Every second pixel in both directions is sufficient.
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
    if (seen > BACKGROUND_QUANTILE * total) return level;
  }
  return 255;
}
