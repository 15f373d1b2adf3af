/** Makes copies of images without the pixels under a redaction. */
import {
  PDFArray,
  PDFName,
  PDFRawStream,
  type PDFContext,
  type PDFDict,
  type PDFObject,
  type PDFStream,
} from '@cantoo/pdf-lib';
import sharp from 'sharp';
import type { PageBox } from '../../page-geometry.ts';
import { dictOf, key, numberAt } from '../objects/pdf-objects.ts';
import { decodedBytes } from '../objects/stream-bytes.ts';

/** Pixel rows and columns; `right` and `bottom` are exclusive. */
interface PixelRegion {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const JPEG_QUALITY = 90;
const MAX_PIXELS = 200_000_000;
/** Entries with other versions of the image and notes on it, which the copy omits. */
const DROPPED = ['Alternates', 'Metadata', 'OPI', 'PieceInfo', 'ID', 'Length'];

/**
 * Returns the redacted copy. `regions` are in the image's unit square, y upwards. Returns undefined for an encoding
 * that cannot be written.
 */
export async function redactImage(
  context: PDFContext,
  image: PDFRawStream,
  regions: readonly PageBox[],
): Promise<PDFStream | undefined> {
  const filters = filtersOf(image.dict);
  const copy =
    filters.at(-1) === 'DCTDecode'
      ? await redactJpeg(context, image, filters, regions)
      : redactSamples(context, image, regions);
  if (copy === undefined) return undefined;
  for (const [entry, value] of image.dict.entries()) {
    const name = entry.decodeText();
    if (!copy.dict.has(entry) && !DROPPED.includes(name) && name !== 'Filter' && name !== 'DecodeParms')
      copy.dict.set(entry, value);
  }
  for (const name of ['SMask', 'Mask']) {
    const mask = image.dict.lookup(key(name));
    if (!(mask instanceof PDFRawStream)) continue;
    const redacted = await redactImage(context, mask, regions);
    if (redacted === undefined) return undefined;
    copy.dict.set(key(name), context.register(redacted));
  }
  return copy;
}

function filtersOf(dict: PDFDict): string[] {
  const filter = dict.lookup(key('Filter'));
  if (filter instanceof PDFName) return [filter.decodeText()];
  return filter instanceof PDFArray
    ? filter.asArray().map((each) => (each instanceof PDFName ? each.decodeText() : ''))
    : [];
}

async function redactJpeg(
  context: PDFContext,
  image: PDFRawStream,
  filters: readonly string[],
  regions: readonly PageBox[],
): Promise<PDFStream | undefined> {
  if (filters.length > 1) return undefined;
  try {
    const picture = sharp(image.contents, { limitInputPixels: MAX_PIXELS, failOn: 'none' });
    const { width, height, channels } = await picture.metadata();
    // CMYK would be converted to RGB, which does not match the image's colour space.
    if (channels !== 1 && channels !== 3) return undefined;
    const black = pixelRegions(regions, width, height).map((region) => ({
      input: {
        create: {
          width: region.right - region.left,
          height: region.bottom - region.top,
          channels: 3 as const,
          background: '#000000',
        },
      },
      left: region.left,
      top: region.top,
    }));
    const drawn = picture.composite(black);
    const grey = channels === 1 ? drawn.toColourspace('b-w') : drawn.toColourspace('srgb').removeAlpha();
    const jpeg = await grey.jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' }).toBuffer();
    return context.stream(jpeg, { Filter: 'DCTDecode' });
  } catch {
    return undefined;
  }
}

function redactSamples(context: PDFContext, image: PDFRawStream, regions: readonly PageBox[]): PDFStream | undefined {
  const { dict } = image;
  const width = numberAt(dict, 'Width') ?? 0;
  const height = numberAt(dict, 'Height') ?? 0;
  const isMask = dict.lookup(key('ImageMask'))?.toString() === 'true';
  const bits = isMask ? 1 : (numberAt(dict, 'BitsPerComponent') ?? 0);
  const components = isMask ? 1 : componentsOf(dict.lookup(key('ColorSpace')));
  const decoded = decodedBytes(image);
  if (decoded === undefined || components === undefined || bits === 0 || width * height > MAX_PIXELS) return undefined;
  const rowBytes = Math.ceil((width * components * bits) / 8);
  if (decoded.length < rowBytes * height) return undefined;
  const samples = Uint8Array.from(decoded);
  for (const region of pixelRegions(regions, width, height)) {
    for (let row = region.top; row < region.bottom; row += 1) {
      clearBits(
        samples,
        row * rowBytes * 8 + region.left * components * bits,
        (region.right - region.left) * components * bits,
      );
    }
  }
  return context.flateStream(samples);
}

function clearBits(bytes: Uint8Array, from: number, count: number): void {
  const end = from + count;
  let bit = from;
  for (; bit < end && bit % 8 !== 0; bit += 1) clearBit(bytes, bit);
  const whole = Math.floor((end - bit) / 8);
  if (whole > 0) bytes.fill(0, bit / 8, bit / 8 + whole);
  for (bit += Math.max(0, whole) * 8; bit < end; bit += 1) clearBit(bytes, bit);
}

function clearBit(bytes: Uint8Array, bit: number): void {
  const at = bit >> 3;
  bytes[at] = (bytes[at] ?? 0) & ~(0x80 >> (bit & 7));
}

function componentsOf(space: PDFObject | undefined): number | undefined {
  const name = space instanceof PDFName ? space.decodeText() : undefined;
  if (name !== undefined) return NAMED[name];
  if (!(space instanceof PDFArray)) return undefined;
  const kind = space.lookup(0);
  const family = kind instanceof PDFName ? kind.decodeText() : '';
  if (family === 'ICCBased') return numberAt(dictOf(space.lookup(1)), 'N');
  if (family === 'DeviceN') {
    const names = space.lookup(1);
    return names instanceof PDFArray ? names.size() : undefined;
  }
  return NAMED[family];
}

const NAMED: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  G: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  RGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
  CMYK: 4,
  Indexed: 1,
  I: 1,
  Separation: 1,
};

/** Converts regions to ranges of all pixels that they touch. */
function pixelRegions(regions: readonly PageBox[], width: number, height: number): PixelRegion[] {
  const within = (value: number, most: number): number => Math.min(most, Math.max(0, value));
  return regions
    .map(([x0, y0, x1, y1]) => ({
      left: within(Math.floor(x0 * width), width),
      top: within(Math.floor((1 - y1) * height), height),
      right: within(Math.ceil(x1 * width), width),
      bottom: within(Math.ceil((1 - y0) * height), height),
    }))
    .filter(({ left, top, right, bottom }) => right > left && bottom > top);
}
