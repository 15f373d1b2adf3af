/**
 * Preprocesses a picture for OCR: applies the EXIF rotation, flattens to white, converts to grey and scales to about
 * 300 dpi.
 */
import sharp from 'sharp';
import type { BoundingBox } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { denoise } from './denoise.ts';
import { invertIfWhiteOnBlack, normaliseIllumination } from './illumination.ts';
import { fromSharp, isBlank, toSharp, type GreyPicture } from './grey-picture.ts';
import type { OcrOptions } from '../engines/ocr-engine.ts';
import { findPrintedText, type PrintedArea } from './printed-text.ts';

export interface PictureSource {
  /** File in any format that sharp decodes. */
  data: Buffer;
  /** Page of a TIFF, from 0. */
  page?: number;
  /** Known resolution, for instance of a rendered page. A file's own tag is used only as described at `bySize`. */
  dpi?: number;
  /** Whether the picture must not be cropped, because it is one of several pages that are compared. */
  whole?: boolean;
}

const TARGET_DPI = 300;
/**
 * Target length of the longer side without a resolution: A4 at 205 dpi. It raised the character accuracy of a 72 dpi
 * page from 0.64 to 0.96.
 */
const TARGET_LONG_SIDE = 2400;
/** Maximum enlargement; beyond it strokes only get blurred. */
const MAX_ENLARGEMENT = 4;
/**
 * Minimum enlargement that is worth resampling. Pages at 250 dpi and letters of 15 pixels are not enlarged, because it
 * adds time and no accuracy.
 */
const MIN_ENLARGEMENT = 1.35;
/** Maximum length of the longer side: A4 at 400 dpi. Photographs of 50 megapixels contain no more text than that. */
export const MAX_LONG_SIDE = 4700;

const RESAMPLING = { fit: 'fill', kernel: 'lanczos3' } as const;
/** Target letter height in pixels; accuracy is constant from 12 to 30 and drops below. */
const LETTER_HEIGHT = 20;
/** Maximum share of the picture covered by print for which it is cropped to the print. */
const MAX_PRINT_SHARE = 0.5;
/** Letter height, in pixels, below which strokes are grey; such letters are enlarged further, to `TINY_ENLARGED`. */
const TINY_LETTERS = 8;
const TINY_ENLARGED = 28;
/** Aspect ratio above which a picture is a receipt; no paper size is that narrow. */
const RECEIPT_ASPECT = 1.6;

export interface PreprocessedPicture {
  grey: GreyPicture;
  /** Probable arrangement of its lines; set for receipts, which are long and narrow. */
  arrangement?: OcrOptions['arrangement'];
  /** Part of the displayed picture that was cropped, 0..1; undefined for all of it. */
  window?: BoundingBox;
}

/** Preprocesses a picture. Throws `ContentError('corrupt')` if it cannot be decoded. */
export async function preprocessPicture(
  source: PictureSource,
  maxPixels: number,
  ocrPixels = Infinity,
): Promise<PreprocessedPicture> {
  try {
    const { plain, density, scale } = await decode(source, maxPixels, ocrPixels);
    if (source.dpi !== undefined) {
      const dpi = source.dpi * scale;
      const page = await enlarged(plain, TARGET_DPI / dpi, ocrPixels);
      return { grey: normaliseIllumination({ ...page, dpi: Math.round((dpi * page.width) / plain.width) }) };
    }
    // Faint letters are detected only after the background is flattened.
    const print = findPrintedText(plain) ?? findPrintedText(normaliseIllumination(plain));
    const longSide = Math.max(plain.width, plain.height);
    if (print === undefined)
      return { grey: normaliseIllumination(await enlarged(plain, bySize(longSide, density), ocrPixels)) };
    const { letterHeight, area } = print;
    const mostlyPaper = area.width * area.height <= MAX_PRINT_SHARE * plain.width * plain.height;
    const cut = mostlyPaper && source.whole !== true;
    const printed = cut ? await fromSharp(toSharp(plain).extract(area), plain.dpi) : plain;
    const isReceipt = printed.height > RECEIPT_ASPECT * printed.width;
    const target = letterHeight < TINY_LETTERS ? TINY_ENLARGED : LETTER_HEIGHT;
    return {
      grey: normaliseIllumination(await enlarged(printed, target / letterHeight, ocrPixels)),
      ...(isReceipt ? { arrangement: 'block' } : {}),
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
  /** Upright picture on white, denoised, at most the maximum size. */
  plain: GreyPicture;
  /** Resolution tag of the file, in dots per inch. */
  density: number | undefined;
  /** Scale from the file's pixels to those of `plain`; at most 1. */
  scale: number;
}

async function decode(source: PictureSource, maxPixels: number, ocrPixels: number): Promise<DecodedPicture> {
  const input = sharp(source.data, { page: source.page ?? 0, limitInputPixels: maxPixels, failOn: 'truncated' });
  const { autoOrient, density, hasAlpha } = await input.metadata();
  const { width, height } = autoOrient;
  const scale = Math.min(1, largestScale(width, height, ocrPixels));
  const size = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
  // Noise is removed before enlarging, because enlarged specks look like letters.
  const on = async (background: string): Promise<GreyPicture> =>
    denoise(
      await fromSharp(
        input
          .clone()
          .autoOrient()
          .flatten({ background })
          .resize(...size, RESAMPLING),
        TARGET_DPI,
      ),
    );
  const onPaper = await on('#fff');
  // White letters on a transparent background need a dark one.
  return { plain: invertIfWhiteOnBlack(hasAlpha && isBlank(onPaper) ? await on('#000') : onPaper), density, scale };
}

/** Returns the maximum scale for a picture of this size. */
const largestScale = (width: number, height: number, ocrPixels: number): number =>
  Math.min(MAX_LONG_SIDE / Math.max(width, height), Math.sqrt(ocrPixels / (width * height)));

/** Enlarges by `wanted`, within the maximum scale and if it is worth resampling. */
async function enlarged(picture: GreyPicture, wanted: number, ocrPixels: number): Promise<GreyPicture> {
  const { width, height } = picture;
  const scale = Math.min(wanted, MAX_ENLARGEMENT, largestScale(width, height, ocrPixels));
  if (scale < MIN_ENLARGEMENT) return picture;
  return fromSharp(
    toSharp(picture).resize(Math.round(width * scale), Math.round(height * scale), RESAMPLING),
    picture.dpi,
  );
}

/** Minimum credible resolution tag; 72 and 96 dpi are default values, 150 and more come from scanners or printers. */
const CREDIBLE_DPI = 150;

/** Returns the enlargement by size; the resolution tag can only reduce it. */
function bySize(longSide: number, tagged: number | undefined): number {
  const size = Math.max(1, TARGET_LONG_SIDE / longSide);
  return tagged !== undefined && tagged >= CREDIBLE_DPI ? Math.min(size, Math.max(1, TARGET_DPI / tagged)) : size;
}

/** Rotates clockwise by any angle; the picture grows so that nothing is cropped. */
export async function rotatePicture(image: GreyPicture, degrees: number): Promise<GreyPicture> {
  return fromSharp(toSharp(image).rotate(degrees, { background: '#fff' }), image.dpi);
}

/** Size for orientation detection, which needs no detail; it takes a third of the time at this size. */
const ORIENTATION_LONG_SIDE = 1600;

export async function shrinkForOrientation(image: GreyPicture): Promise<GreyPicture> {
  const scale = ORIENTATION_LONG_SIDE / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const dpi = Math.round((image.dpi ?? TARGET_DPI) * scale);
  return fromSharp(toSharp(image).resize(Math.max(1, Math.round(image.width * scale))), dpi);
}
