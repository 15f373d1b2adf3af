/** Converts all raster formats to input for sharp, and checks their size before any pixel is decoded. */
import sharp from 'sharp';
import type { Metadata } from 'sharp';
import type { Format } from '../../formats.ts';
import { ContentError } from '@quire/blocks/content-error';
import { decodeBmp } from './bmp.ts';
import { decodeIco } from './ico.ts';
import { checkPixels, corruptImage } from './raw-picture.ts';
import type { RawPicture } from './raw-picture.ts';
import { tiffPages, type TiffPage } from './tiff-pages.ts';

export interface Raster {
  data: Buffer;
  metadata: Metadata;
  /** Number of pages of a TIFF; 1 for other formats, also for animations, of which only the first frame is read. */
  pages: number;
  /** Properties of the pages; empty except for TIFFs. */
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
  const counted = metadata.pages ?? 1;
  const all = tiffPages(data).slice(0, counted);
  const frames = all.filter((frame) => !frame.isCopy);
  return frames.length === 0 || all.length < counted
    ? { data, metadata, pages: counted, frames: [] }
    : { data, metadata, pages: frames.length, frames };
}

/** One page as input for sharp: the bytes and the page index. */
export interface RasterPage {
  data: Buffer;
  page: number;
}

/** Minimum ratio of the two resolutions that is corrected; coarse faxes exceed it, scans do not. */
const SQUARE = 1.15;

/** Prepares a page, counted from 0. Throws like `openRaster`, also if the decoder does not support the compression. */
export async function rasterPage({ data, frames }: Raster, page: number, maxPixels: number): Promise<RasterPage> {
  const frame = frames[page];
  if (frame === undefined) return { data, page };
  await requireReadable(data, frame);
  const { index, aspect } = frame;
  if (aspect < SQUARE && aspect > 1 / SQUARE) return { data, page: index };
  const { autoOrient, width } = await readMetadata(data, index);
  // The orientation tag swaps the sides but not the resolutions.
  const across = autoOrient.width === width ? aspect : 1 / aspect;
  const [stretchedWidth, stretchedHeight] = [
    Math.round(autoOrient.width * Math.max(1, 1 / across)),
    Math.round(autoOrient.height * Math.max(1, across)),
  ];
  checkPixels(stretchedWidth, stretchedHeight, maxPixels);
  try {
    const square = sharp(data, { page: index, limitInputPixels: false, failOn: 'truncated' })
      .autoOrient()
      .resize(stretchedWidth, stretchedHeight, { fit: 'fill' });
    return { data: await square.png({ compressionLevel: 1 }).toBuffer(), page: 0 };
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
async function requireReadable(data: Buffer, { index, compression }: TiffPage): Promise<void> {
  if (COMMON_COMPRESSIONS.has(compression)) return;
  try {
    await sharp(data, { page: index, limitInputPixels: false, failOn: 'error' }).stats();
  } catch (error) {
    const name = COMPRESSION_NAMES[compression] ?? `method ${compression}`;
    throw new ContentError('unsupported', `The TIFF is compressed by ${name}, which cannot be read`, { cause: error });
  }
}

/** Returns width and height of one page after EXIF rotation. Throws like `openRaster`. */
export async function measurePage(
  { data, page }: RasterPage,
  maxPixels: number,
): Promise<{ width: number; height: number }> {
  const metadata = await readMetadata(data, page);
  checkPixels(metadata.width, metadata.pageHeight ?? metadata.height, maxPixels);
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
