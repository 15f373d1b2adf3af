/**
 * Corrects the illumination of photographed pages: shadows, grey paper, faint ink and white text on black. Clean scans
 * pass unchanged after a quick check.
 */
import { estimateBackground, type Background, type GreyPicture } from './grey-picture.ts';

/** Background level below which, or variation above which, the background is flattened to white. */
const MIN_BACKGROUND = 215;
const MAX_UNEVENNESS = 30;
/** Tiles darker than this share of the lightest background are bars, pictures or the desk, not paper in shadow. */
const MIN_BACKGROUND_RATIO = 0.25;
const WHITE_LEVEL = 250;
/**
 * Level of the darkest ink above which contrast is stretched. Enlarged small letters have 110 to 160 and are read worse
 * after stretching.
 */
const MAX_INK_LEVEL = 160;

export function normaliseIllumination(picture: GreyPicture): GreyPicture {
  const background = estimateBackground(picture);
  const isUneven = background.lightest < MIN_BACKGROUND || background.lightest - background.darkest > MAX_UNEVENNESS;
  return stretchContrast(isUneven ? flattenBackground(picture, background) : picture);
}

/** Inverts a picture that is white on black. */
export function invertIfWhiteOnBlack(picture: GreyPicture): GreyPicture {
  if (!isWhiteOnBlack(estimateBackground(picture))) return picture;
  return { ...picture, pixels: picture.pixels.map((level) => 255 - level) as Buffer };
}

/**
 * Detects a page printed white on black: nearly all tiles are dark and hardly any is light, unlike a page on a dark
 * desk.
 */
const isWhiteOnBlack = ({ levels }: Background): boolean => {
  const share = (test: (level: number) => boolean): number => levels.filter(test).length / Math.max(1, levels.length);
  return share((level) => level < 100) > 0.7 && share((level) => level > 170) < 0.03;
};

/** Divides by the background level, interpolated between tiles. */
function flattenBackground(picture: GreyPicture, background: Background): GreyPicture {
  const { width, height, pixels } = picture;
  const { columns, rows, tile } = background;
  const factors = Float32Array.from(
    background.levels,
    (level) =>
      WHITE_LEVEL / Math.max(1, level < MIN_BACKGROUND_RATIO * background.lightest ? background.lightest : level),
  );
  const factor = (column: number, row: number): number =>
    factors[Math.min(rows - 1, Math.max(0, row)) * columns + Math.min(columns - 1, Math.max(0, column))] ?? 1;
  const result = Buffer.alloc(pixels.length);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / tile - 0.5);
    const down = y / tile - 0.5 - row;
    for (let column = -1; column < columns; column += 1) {
      const [left, right] = [
        factor(column, row) * (1 - down) + factor(column, row + 1) * down,
        factor(column + 1, row) * (1 - down) + factor(column + 1, row + 1) * down,
      ];
      const [from, to] = [Math.max(0, (column + 0.5) * tile), Math.min(width, (column + 1.5) * tile)];
      for (let x = from; x < to; x += 1) {
        const across = (x - (column + 0.5) * tile) / tile;
        const level = (pixels[y * width + x] ?? 0) * (left + (right - left) * across);
        result[y * width + x] = level > 255 ? 255 : level;
      }
    }
  }
  return { ...picture, pixels: result };
}

/** Levels below this are ink; the darkest fifth of them represents the stroke centres. */
const INK = WHITE_LEVEL - 20;
const STROKE_CENTRE_SHARE = 0.2;

/** Stretches the contrast so that strokes become black, if even their darkest pixels are grey. */
function stretchContrast(picture: GreyPicture): GreyPicture {
  const counts = new Uint32Array(256);
  for (let index = 0; index < picture.pixels.length; index += 7) {
    const level = picture.pixels[index] ?? 0;
    counts[level] = (counts[level] ?? 0) + 1;
  }
  const ink = counts.subarray(0, INK).reduce((sum, count) => sum + count, 0);
  // A blank page has grain but no ink.
  if (ink < picture.pixels.length / 7 / 2000) return picture;
  let [darkest, seen] = [0, 0];
  while (darkest < INK && (seen += counts[darkest] ?? 0) < STROKE_CENTRE_SHARE * ink) darkest += 1;
  if (darkest < MAX_INK_LEVEL) return picture;
  const stretch = WHITE_LEVEL / (WHITE_LEVEL - darkest);
  const table = Uint8Array.from({ length: 256 }, (_, level) =>
    Math.min(255, Math.max(0, Math.round((level - darkest) * stretch))),
  );
  return { ...picture, pixels: picture.pixels.map((level) => table[level] ?? 0) as Buffer };
}
