/** Converts all raster formats to input for sharp, and checks their size before any pixel is decoded. */
import sharp from 'sharp';
import type { Metadata } from 'sharp';
import type { Format } from '../../formats.ts';
import { ContentError } from '@quire/blocks/content-error';
import { decodeBmp } from './bmp.ts';
import { decodeIco } from './ico.ts';
import { checkPixels, corruptImage } from './raw-picture.ts';
import type { RawPicture } from './raw-picture.ts';
import { selectPage, tiffPages, type TiffPage } from './tiff-pages.ts';

export interface Raster {
  data: Buffer;
  metadata: Metadata;
  /** Number of pages of a TIFF; 1 for other formats, also for animations, of which only the first frame is read. */
  pages: number;
  /** Pages of a TIFF, one more than are read at most; empty for other formats. `data` is changed to select a page. */
  frames: readonly TiffPage[];
}

/** Formats by content that sharp may decode. SVG is excluded, because drawing it would load what it links to. */
const READABLE: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'tiff', 'gif', 'heif']);

/** Throws `ContentError` (`corrupt`, `too_large`, `unsupported`). */
export async function openRaster(bytes: Buffer, format: Format, maxPixels: number): Promise<Raster> {
  const data = await readableBySharp(bytes, format, maxPixels);
  const metadata = await readMetadata(data, 0);
  if (!READABLE.has(metadata.format)) throw corruptImage();
  checkPixels(metadata.width, metadata.pageHeight ?? metadata.height, maxPixels);
  if (metadata.format !== 'tiff') return { data, metadata, pages: 1, frames: [] };
  const all = tiffPages(data);
  const pages = all.filter((frame) => !frame.isCopy);
  // If all directories are copies, they are the pages.
  const frames = (pages.length > 0 ? pages : all).slice(0, MAX_PAGES + 1);
  return frames.length === 0 ? { data, metadata, pages: 1, frames } : { data, metadata, pages: frames.length, frames };
}

/** Maximum number of pages that are read: a fax of a whole book. */
export const MAX_PAGES = 1000;

/** One page as input for sharp: the bytes and the page index, and the size of the page. */
export interface RasterPage extends Pick<RasterPageSize, 'width' | 'height'> {
  data: Buffer;
  page: number;
}

/** Minimum ratio of the two resolutions that is corrected; coarse faxes exceed it, scans do not. */
const SQUARE = 1.15;

/** Size of a page as it is read: after its rotation, with square pixels. */
export interface RasterPageSize {
  width: number;
  height: number;
  /** Whether the pixels of the file are not square. */
  isStretched: boolean;
}

/** Returns the size of a page, counted from 0, and decodes nothing. Throws like `openRaster`. */
export async function measurePage({ data, frames }: Raster, page: number, maxPixels: number): Promise<RasterPageSize> {
  const frame = frames[page];
  if (frame !== undefined) selectPage(data, frame);
  const metadata = await readMetadata(data, frame === undefined ? page : 0);
  // `openRaster` checks only the first directory of a TIFF.
  checkPixels(metadata.width, metadata.pageHeight ?? metadata.height, maxPixels);
  const { width, height } = metadata.autoOrient;
  const aspect = frame?.aspect ?? 1;
  if (aspect < SQUARE && aspect > 1 / SQUARE) return { width, height, isStretched: false };
  // The orientation tag swaps the sides but not the resolutions.
  const across = width === metadata.width ? aspect : 1 / aspect;
  const square = {
    width: Math.round(width * Math.max(1, 1 / across)),
    height: Math.round(height * Math.max(1, across)),
  };
  checkPixels(square.width, square.height, maxPixels);
  return { ...square, isStretched: true };
}

/**
 * Prepares a page, counted from 0; valid until the next page is prepared or measured. Throws like `openRaster`, also if
 * the decoder does not support the compression.
 */
export async function rasterPage(raster: Raster, page: number, maxPixels: number): Promise<RasterPage> {
  const { data, frames } = raster;
  const { width, height, isStretched } = await measurePage(raster, page, maxPixels);
  const frame = frames[page];
  if (frame === undefined) return { data, page, width, height };
  await requireReadable(data, frame);
  if (!isStretched) return { data, page: 0, width, height };
  try {
    const square = sharp(data, { limitInputPixels: false, failOn: 'truncated' })
      .autoOrient()
      .resize(width, height, { fit: 'fill' });
    return { data: await square.png({ compressionLevel: 1 }).toBuffer(), page: 0, width, height };
  } catch (error) {
    throw corruptImage(error);
  }
}

/** Supported compressions: none, three for faxes, LZW, JPEG, two codes for deflate, PackBits. */
const COMMON_COMPRESSIONS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 7, 8, 32946, 32773]);
const COMPRESSION_NAMES: Readonly<Record<number, string>> = {
  6: 'old-style JPEG',
  34661: 'JBIG',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34925: 'LZMA',
  50000: 'Zstandard',
  50001: 'WebP',
};

/** Throws if the compression is unsupported; without this check, the decoder would return a white page. */
async function requireReadable(data: Buffer, { compression }: TiffPage): Promise<void> {
  if (COMMON_COMPRESSIONS.has(compression)) return;
  try {
    await sharp(data, { limitInputPixels: false, failOn: 'error' }).stats();
  } catch (error) {
    const name = COMPRESSION_NAMES[compression] ?? `method ${compression}`;
    throw new ContentError('unsupported', `The TIFF is compressed by ${name}, which cannot be read`, { cause: error });
  }
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
