/** Makes a picture fit for OCR: upright by its EXIF tag, on white, grey, and at a size near 300 dpi. */
import sharp from 'sharp';
import { ContentError } from '../../../errors.ts';
import type { OcrImage } from './ocr-engine.ts';

export interface PictureSource {
  /** Any format that sharp reads. */
  data: Buffer;
  /** Known resolution, of a rendered page for instance; a file's own density tag is too often wrong to be used. */
  dpi?: number;
}

const TARGET_DPI = 300;
/** Without a resolution: an A4 page at 205 dpi. A 72-dpi page went from 0.64 to 0.96 of its characters with it. */
const TARGET_LONG_SIDE = 2400;
/** Beyond four times there is nothing to gain, the strokes are only blurred. */
const MAX_ENLARGEMENT = 4;
/** A4 at 400 dpi. Photographs of 50 megapixels hold no more text than that. */
const MAX_LONG_SIDE = 4700;

/** Throws `ContentError('corrupt')` when the picture cannot be decoded. */
export async function preparePicture(source: PictureSource, maxPixels: number): Promise<OcrImage> {
  try {
    const input = sharp(source.data, { limitInputPixels: maxPixels, failOn: 'none' });
    const { width, height } = (await input.metadata()).autoOrient;
    const scale = Math.min(scaleFor(Math.max(width, height), source.dpi), MAX_LONG_SIDE / Math.max(width, height));
    const { data, info } = await input
      .autoOrient()
      .flatten({ background: '#fff' })
      .toColourspace('b-w')
      .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), {
        fit: 'fill',
        kernel: 'lanczos3',
      })
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, dpi: Math.round((source.dpi ?? 0) * scale) || TARGET_DPI };
  } catch (error) {
    throw new ContentError('corrupt', 'The image cannot be decoded', { cause: error });
  }
}

export async function turnPicture(image: OcrImage, degrees: 90 | 180 | 270): Promise<OcrImage> {
  const data = await sharp(image.data).rotate(degrees).png({ compressionLevel: 1 }).toBuffer();
  const upright = degrees === 180;
  return { ...image, data, width: upright ? image.width : image.height, height: upright ? image.height : image.width };
}

function scaleFor(longSide: number, dpi: number | undefined): number {
  const wanted = dpi === undefined ? Math.max(1, TARGET_LONG_SIDE / longSide) : TARGET_DPI / dpi;
  return Math.min(wanted, MAX_ENLARGEMENT);
}
