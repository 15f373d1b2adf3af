/** Raster images of all kinds as something sharp can read, with their size checked before any pixel is decoded. */
import sharp from 'sharp';
import type { Metadata } from 'sharp';
import type { Format } from '../../../content/format.ts';
import { decodeBmp } from './bmp.ts';
import { decodeIco } from './ico.ts';
import { checkPixels, corruptImage } from './raw-picture.ts';
import type { RawPicture } from './raw-picture.ts';

export interface Raster {
  data: Buffer;
  metadata: Metadata;
  /** Pages of a TIFF; 1 for everything else, also for animations: only their first frame is read. */
  pages: number;
}

/** By content, not by name. No SVG: it would be drawn with whatever it links to. */
const READABLE: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'tiff', 'gif', 'heif']);

/** Throws `ContentError` (`corrupt`, `too_large`). */
export async function openRaster(bytes: Buffer, format: Format, maxPixels: number): Promise<Raster> {
  const data = await readableBySharp(bytes, format, maxPixels);
  const metadata = await readMetadata(data, 0);
  if (!READABLE.has(metadata.format)) throw corruptImage();
  checkPixels(metadata.width, metadata.pageHeight ?? metadata.height, maxPixels);
  return { data, metadata, pages: metadata.format === 'tiff' ? (metadata.pages ?? 1) : 1 };
}

/** Width and height of one page as it is shown, that is turned by its EXIF tag. Throws as `openRaster`. */
export async function measurePage(
  raster: Raster,
  page: number,
  maxPixels: number,
): Promise<{ width: number; height: number }> {
  const metadata = page === 0 ? raster.metadata : await readMetadata(raster.data, page);
  checkPixels(metadata.width, metadata.height, maxPixels);
  return metadata.autoOrient;
}

async function readMetadata(data: Buffer, page: number): Promise<Metadata> {
  try {
    return await sharp(data, { page }).metadata();
  } catch (error) {
    throw corruptImage(error);
  }
}

async function readableBySharp(bytes: Buffer, format: Format, maxPixels: number): Promise<Buffer> {
  if (format === 'bmp') return toPng(decodeBmp(bytes, maxPixels));
  if (format !== 'ico') return bytes;
  const icon = decodeIco(bytes, maxPixels);
  return 'png' in icon ? icon.png : toPng(icon);
}

function toPng({ data, width, height }: RawPicture): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
