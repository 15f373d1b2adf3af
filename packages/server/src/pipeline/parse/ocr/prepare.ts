/** Makes a picture fit for OCR: upright by its EXIF tag, on white, grey, and at a size near 300 dpi. */
import sharp from 'sharp';
import { ContentError } from '../../../errors.ts';
import { withEvenLight, withoutGrain } from './even-light.ts';
import { greyOf, isBlank, sharpOf, type GreyPicture } from './grey-picture.ts';

export interface PictureSource {
  /** Any format that sharp reads. */
  data: Buffer;
  /** Of a TIFF, from 0. */
  page?: number;
  /** Known resolution, of a rendered page for instance. A file's own tag is only used as said at `scaleFor`. */
  dpi?: number;
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

/** Throws `ContentError('corrupt')` when the picture cannot be decoded. */
export async function preparePicture(
  source: PictureSource,
  maxPixels: number,
  ocrPixels = Infinity,
): Promise<GreyPicture> {
  try {
    const input = sharp(source.data, { page: source.page ?? 0, limitInputPixels: maxPixels, failOn: 'truncated' });
    const { autoOrient, density, hasAlpha } = await input.metadata();
    const { width, height } = autoOrient;
    const scale = Math.min(
      scaleFor(Math.max(width, height), source.dpi, density),
      MAX_LONG_SIDE / Math.max(width, height),
      Math.sqrt(ocrPixels / (width * height)),
    );
    const dpi = Math.round((source.dpi ?? 0) * scale) || TARGET_DPI;
    const size = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
    const on = async (background: string): Promise<GreyPicture> => {
      const upright = input.clone().autoOrient().flatten({ background });
      // Grain must go before it is enlarged: specks become blots that look like letters.
      if (scale <= 1) return withoutGrain(await greyOf(upright.resize(...size, RESAMPLING), dpi));
      const quiet = await withoutGrain(await greyOf(upright, dpi));
      return greyOf(sharpOf(quiet).resize(...size, RESAMPLING), dpi);
    };
    const onPaper = await on('#fff');
    // Transparent pictures are made for any background; white letters need a dark one.
    return withEvenLight(hasAlpha && isBlank(onPaper) ? await on('#000') : onPaper);
  } catch (error) {
    throw new ContentError('corrupt', 'The image is damaged or cut off and cannot be decoded', { cause: error });
  }
}

/** Turns clockwise by any angle; the picture grows so that nothing is cut off. */
export async function turnPicture(image: GreyPicture, degrees: number): Promise<GreyPicture> {
  return greyOf(sharpOf(image).rotate(degrees, { background: '#fff' }), image.dpi);
}

/** Screens' 72 and 96 dpi stand in most files without a meaning; from 150 on somebody scanned or printed. */
const CREDIBLE_DPI = 150;

/** A file's density tag can only lessen the enlargement: a 300-dpi clip gains nothing by it (0.98 both) and takes 1.7 times as long. */
function scaleFor(longSide: number, dpi: number | undefined, tagged: number | undefined): number {
  const bySize = Math.max(1, TARGET_LONG_SIDE / longSide);
  const byTag = tagged !== undefined && tagged >= CREDIBLE_DPI ? Math.max(1, TARGET_DPI / tagged) : bySize;
  const scale = Math.min(dpi === undefined ? Math.min(bySize, byTag) : TARGET_DPI / dpi, MAX_ENLARGEMENT);
  return scale > 1 && scale < WORTH_ENLARGING ? 1 : scale;
}

/** Orientation needs no detail: at this size it takes a third of the time. */
const ORIENTATION_LONG_SIDE = 1600;

export async function shrinkForOrientation(image: GreyPicture): Promise<GreyPicture> {
  const scale = ORIENTATION_LONG_SIDE / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const dpi = Math.round((image.dpi ?? TARGET_DPI) * scale);
  return greyOf(sharpOf(image).resize(Math.round(image.width * scale)), dpi);
}
