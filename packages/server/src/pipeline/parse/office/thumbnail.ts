/** The preview picture that an office program stored in the file, as WebP; the format readers share it. */
import sharp from 'sharp';
import type { ParseContext, Thumbnailer } from '../parser.ts';
import { OfficePackage } from './package/office-package.ts';

/** Real previews are 256 px wide; anything larger than this is not one. */
const MAX_THUMBNAIL_BYTES = 8 * 1024 * 1024;

/** Null when the file holds no picture, or one that cannot be drawn (EMF and WMF): the caller draws a page itself. */
export const embeddedThumbnail: Thumbnailer = (file, context, maxSide) =>
  OfficePackage.use(file, context, async (officePackage) => {
    const name = officePackage.relatedPart('', 'thumbnail') ?? firstPresent(officePackage);
    if (name === undefined) return null;
    const bytes = officePackage.bytes(name);
    return bytes.length > MAX_THUMBNAIL_BYTES ? null : drawThumbnail(bytes, context, maxSide);
  });

function firstPresent(officePackage: OfficePackage): string | undefined {
  return ['docProps/thumbnail.jpeg', 'Thumbnails/thumbnail.png'].find((name) => officePackage.has(name));
}

async function drawThumbnail(bytes: Buffer, context: ParseContext, maxSide: number): Promise<Buffer | null> {
  try {
    return await sharp(bytes, { limitInputPixels: context.options.maxPixels })
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .webp()
      .toBuffer();
  } catch {
    return null;
  }
}
