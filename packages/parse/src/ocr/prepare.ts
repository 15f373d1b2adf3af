/** Makes a picture fit for OCR: upright by its EXIF tag, on white, grey, and at a size near 300 dpi. */
import sharp from 'sharp';
import type { BoundingBox } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { onLightPaper, withEvenLight, withoutGrain } from './even-light.ts';
import { greyOf, isBlank, sharpOf, type GreyPicture } from './grey-picture.ts';
import type { OcrOptions } from './ocr-engine.ts';
import { findPrint, type PrintedArea } from './print.ts';

export interface PictureSource {
  /** Any format that sharp reads. */
  data: Buffer;
  /** Of a TIFF, from 0. */
  page?: number;
  /** Known resolution, of a rendered page for instance. A file's own tag is only used as said at `bySize`. */
  dpi?: number;
  /** Never cut down to its print: one of several pages, which are compared with each other. */
  whole?: boolean;
}

const TARGET_DPI = 300;
/** Without a resolution: an A4 page at 205 dpi. A 72-dpi page went from 0.64 to 0.96 of its characters with it. */
const TARGET_LONG_SIDE = 2400;
/** Beyond four times there is nothing to gain, the strokes are only blurred. */
const MAX_ENLARGEMENT = 4;
/** Smaller enlargements cost a resampling and gain nothing. */
const WORTH_ENLARGING = 1.2;
/** A4 at 400 dpi. Photographs of 50 megapixels hold no more text than that. */
export const MAX_LONG_SIDE = 4700;

const RESAMPLING = { fit: 'fill', kernel: 'lanczos3' } as const;
/** Height of letters that engines read best; from 12 to 30 they hardly differ, below they do. */
const LETTER_HEIGHT = 20;
/** A picture of which the print covers no more than this is cut down to it. */
const MOSTLY_PAPER = 0.5;
/** Of letters lower than this, in pixels, the strokes are grey: the larger they are made, the better. */
const TINY_LETTERS = 8;
const TINY_ENLARGED = 28;
/** Taller than wide by more than any sheet of paper: a till slip. */
const SLIP = 1.6;

export interface PreparedPicture {
  grey: GreyPicture;
  /** How its lines probably lie; of long narrow pictures, which are till slips. */
  arrangement?: OcrOptions['arrangement'];
  /** The part that was cut out of the picture as it is shown, 0..1; undefined for all of it. */
  window?: BoundingBox;
}

/** Throws `ContentError('corrupt')` when the picture cannot be decoded. */
export async function preparePicture(
  source: PictureSource,
  maxPixels: number,
  ocrPixels = Infinity,
): Promise<PreparedPicture> {
  try {
    const { plain, density, scale } = await decode(source, maxPixels, ocrPixels);
    if (source.dpi !== undefined) {
      const dpi = source.dpi * scale;
      const page = await enlarged(plain, TARGET_DPI / dpi, ocrPixels);
      return { grey: withEvenLight({ ...page, dpi: Math.round((dpi * page.width) / plain.width) }) };
    }
    // Letters that are hardly darker than their paper are only seen once it is white.
    const print = findPrint(plain) ?? findPrint(withEvenLight(plain));
    const longSide = Math.max(plain.width, plain.height);
    if (print === undefined)
      return { grey: withEvenLight(await enlarged(plain, bySize(longSide, density), ocrPixels)) };
    const { letterHeight, area } = print;
    const mostlyPaper = area.width * area.height <= MOSTLY_PAPER * plain.width * plain.height;
    const cut = mostlyPaper && source.whole !== true;
    const printed = cut ? await greyOf(sharpOf(plain).extract(area), plain.dpi) : plain;
    const isSlip = printed.height > SLIP * printed.width;
    const target = letterHeight < TINY_LETTERS ? TINY_ENLARGED : LETTER_HEIGHT;
    return {
      grey: withEvenLight(await enlarged(printed, target / letterHeight, ocrPixels)),
      ...(isSlip ? { arrangement: 'block' } : {}),
      ...(cut ? { window: windowOf(area, plain) } : {}),
    };
  } catch (error) {
    throw new ContentError('corrupt', 'The image is damaged or cut off and cannot be decoded', { cause: error });
  }
}

function windowOf({ left, top, width, height }: PrintedArea, picture: GreyPicture): BoundingBox {
  return [left / picture.width, top / picture.height, (left + width) / picture.width, (top + height) / picture.height];
}

interface DecodedPicture {
  /** Upright, on white, without grain, no larger than is ever read. */
  plain: GreyPicture;
  /** As the file says, in dots per inch. */
  density: number | undefined;
  /** Pixels of `plain` for one of the file; at most 1. */
  scale: number;
}

async function decode(source: PictureSource, maxPixels: number, ocrPixels: number): Promise<DecodedPicture> {
  const input = sharp(source.data, { page: source.page ?? 0, limitInputPixels: maxPixels, failOn: 'truncated' });
  const { autoOrient, density, hasAlpha } = await input.metadata();
  const { width, height } = autoOrient;
  const scale = Math.min(1, largestScale(width, height, ocrPixels));
  const size = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
  // Grain must go before it is enlarged: specks become blots that look like letters.
  const on = async (background: string): Promise<GreyPicture> =>
    withoutGrain(
      await greyOf(
        input
          .clone()
          .autoOrient()
          .flatten({ background })
          .resize(...size, RESAMPLING),
        TARGET_DPI,
      ),
    );
  const onPaper = await on('#fff');
  // Transparent pictures are made for any background; white letters need a dark one.
  return { plain: onLightPaper(hasAlpha && isBlank(onPaper) ? await on('#000') : onPaper), density, scale };
}

/** Times as large as a picture of these sides may be read. */
const largestScale = (width: number, height: number, ocrPixels: number): number =>
  Math.min(MAX_LONG_SIDE / Math.max(width, height), Math.sqrt(ocrPixels / (width * height)));

/** `wanted` times as large, if that is worth it and no larger than is ever read. */
async function enlarged(picture: GreyPicture, wanted: number, ocrPixels: number): Promise<GreyPicture> {
  const { width, height } = picture;
  const scale = Math.min(wanted, MAX_ENLARGEMENT, largestScale(width, height, ocrPixels));
  if (scale < WORTH_ENLARGING) return picture;
  return greyOf(
    sharpOf(picture).resize(Math.round(width * scale), Math.round(height * scale), RESAMPLING),
    picture.dpi,
  );
}

/** Screens' 72 and 96 dpi stand in most files without a meaning; from 150 on somebody scanned or printed. */
const CREDIBLE_DPI = 150;

/** A file's density tag can only lessen the enlargement. */
function bySize(longSide: number, tagged: number | undefined): number {
  const size = Math.max(1, TARGET_LONG_SIDE / longSide);
  return tagged !== undefined && tagged >= CREDIBLE_DPI ? Math.min(size, Math.max(1, TARGET_DPI / tagged)) : size;
}

/** Turns clockwise by any angle; the picture grows so that nothing is cut off. */
export async function turnPicture(image: GreyPicture, degrees: number): Promise<GreyPicture> {
  return greyOf(sharpOf(image).rotate(degrees, { background: '#fff' }), image.dpi);
}

/** Orientation needs no detail: at this size it takes a third of the time. */
const ORIENTATION_LONG_SIDE = 1600;

export async function shrinkForOrientation(image: GreyPicture): Promise<GreyPicture> {
  const scale = ORIENTATION_LONG_SIDE / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const dpi = Math.round((image.dpi ?? TARGET_DPI) * scale);
  return greyOf(sharpOf(image).resize(Math.round(image.width * scale)), dpi);
}
