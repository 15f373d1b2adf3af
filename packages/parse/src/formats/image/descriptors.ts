/** The raster image formats. One reader decodes all of them. */
import { LIGHT_COST, RECOGNITION_COST, type FormatDescriptor } from '../../format-descriptor.ts';
import { startsWith } from '../../validate/file-probe.ts';
import { avifSize } from './size/avif-size.ts';
import { checkSize } from './size/check-size.ts';
import { bmpSize, gifSize, icoSize, jpegSize, pngSize, webpSize } from './size/image-size.ts';
import { tiffSize } from './size/tiff-size.ts';

const IMAGE = {
  family: 'image',
  aliases: [],
  reader: () => import('./image.ts'),
  thumbnail: 'reader',
  pages: 'decoded',
  cost: RECOGNITION_COST,
} as const satisfies Partial<FormatDescriptor>;

export const jpg: FormatDescriptor = {
  ...IMAGE,
  contentType: 'image/jpeg',
  aliases: ['image/jpg', 'image/pjpeg'],
  extensions: ['jpg', 'jpeg'],
  signature: { bytes: (head) => startsWith(head, '\xff\xd8\xff') },
  structure: checkSize(jpegSize),
};

const isPng = (head: Buffer): boolean => startsWith(head, '\x89PNG\r\n\x1a\n');

export const png: FormatDescriptor = {
  ...IMAGE,
  contentType: 'image/png',
  aliases: ['image/x-png'],
  extensions: ['png'],
  signature: { bytes: (head) => isPng(head) && !isAnimated(head) },
  structure: checkSize(pngSize),
};

export const apng: FormatDescriptor = {
  ...IMAGE,
  contentType: 'image/apng',
  aliases: ['image/vnd.mozilla.apng'],
  extensions: ['apng'],
  signature: { bytes: (head) => isPng(head) && isAnimated(head) },
  structure: checkSize(pngSize),
  cost: LIGHT_COST,
};

export const webp: FormatDescriptor = {
  ...IMAGE,
  contentType: 'image/webp',
  extensions: ['webp'],
  signature: { bytes: (head) => startsWith(head, 'RIFF') && head.toString('latin1', 8, 12) === 'WEBP' },
  structure: checkSize(webpSize),
};

const TIFF_STARTS = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'];

export const tiff: FormatDescriptor = {
  ...IMAGE,
  contentType: 'image/tiff',
  extensions: ['tiff', 'tif'],
  signature: { bytes: (head) => TIFF_STARTS.some((start) => startsWith(head, start)) },
  structure: checkSize(tiffSize),
};

const BMP_HEADER_SIZES = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

export const bmp: FormatDescriptor = {
  ...IMAGE,
  contentType: 'image/bmp',
  aliases: ['image/x-ms-bmp', 'image/x-bmp'],
  extensions: ['bmp'],
  signature: {
    bytes: (head) => startsWith(head, 'BM') && head.length >= 18 && BMP_HEADER_SIZES.has(head.readUInt32LE(14)),
  },
  structure: checkSize(bmpSize),
  cost: { fixedMs: 1000, msPerKilobyte: 0.2 },
};

export const avif: FormatDescriptor = {
  ...IMAGE,
  contentType: 'image/avif',
  extensions: ['avif'],
  signature: { bytes: isAvif },
  structure: checkSize(avifSize),
};

export const gif: FormatDescriptor = {
  ...IMAGE,
  contentType: 'image/gif',
  extensions: ['gif'],
  signature: { bytes: (head) => startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a') },
  structure: checkSize(gifSize),
};

export const ico: FormatDescriptor = {
  ...IMAGE,
  contentType: 'image/x-icon',
  aliases: ['image/vnd.microsoft.icon'],
  extensions: ['ico'],
  signature: { bytes: (head) => startsWith(head, '\0\0\x01\0') && head.length >= 6 && head.readUInt16LE(4) > 0 },
  structure: checkSize(icoSize),
  cost: LIGHT_COST,
};

/** Returns whether the animation control chunk comes before the first image data. */
function isAnimated(head: Buffer): boolean {
  const control = head.indexOf('acTL');
  const pixels = head.indexOf('IDAT');
  return control > 0 && (pixels < 0 || control < pixels);
}

/** Returns whether an `ftyp` box names an AVIF brand, as the major or as a compatible one. */
function isAvif(head: Buffer): boolean {
  if (head.length < 12 || head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(head.length, head.readUInt32BE(0), 256);
  for (let at = 8; at + 4 <= end; at += 4) {
    if (at !== 12 && /^avi[fs]$/.test(head.toString('latin1', at, at + 4))) return true;
  }
  return false;
}
