/**
 * Decodes device-independent bitmaps, the pixels of BMP files and ICO frames: all header versions since OS/2, 1 to 32
 * bits per pixel, bit fields, RLE4 and RLE8. JPEG and PNG inside a BMP, meant for printers, are not supported. Layout:
 * learn.microsoft.com/windows/win32/gdi/bitmap-storage
 */
import { decodeRle } from './dib-rle.ts';
import { checkPixels, corruptImage } from './raw-picture.ts';
import type { RawPicture } from './raw-picture.ts';

const CORE_HEADER = 12;
const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const BIT_FIELDS = 3;
const ALPHA_BIT_FIELDS = 6;

export interface DibHeader {
  size: number;
  width: number;
  height: number;
  topDown: boolean;
  bits: number;
  compression: number;
  /**
   * Palette entries that the header declares and the file contains: three bytes each in the oldest version, else four.
   */
  palette: Buffer;
  paletteEntry: 3 | 4;
  /** Bit masks of red, green, blue and alpha; 0 for none. */
  masks: readonly [number, number, number, number];
  /** Offset of the pixels, unless the file states another. */
  end: number;
}

/** `bytes` starts at the header. Throws `ContentError` (`corrupt`, `too_large`). */
export function readDibHeader(bytes: Buffer, icon: boolean, maxPixels: number): DibHeader {
  if (bytes.length < CORE_HEADER) throw corruptImage();
  const size = bytes.readUInt32LE(0);
  const core = size === CORE_HEADER;
  if ((!core && (size < 16 || size > 256)) || bytes.length < size) throw corruptImage();
  const field = (at: number): number => (at + 4 <= size ? bytes.readUInt32LE(at) : 0);
  const width = core ? bytes.readUInt16LE(4) : bytes.readInt32LE(4);
  const stored = core ? bytes.readUInt16LE(6) : bytes.readInt32LE(8);
  // The height of an icon includes its mask.
  const height = Math.floor(Math.abs(stored) / (icon ? 2 : 1));
  const bits = bytes.readUInt16LE(core ? 10 : 14);
  const compression = core ? RGB : field(16);
  checkPixels(width, height, maxPixels);
  if (![1, 2, 4, 8, 16, 24, 32].includes(bits)) throw corruptImage();
  const masked = compression === BIT_FIELDS || compression === ALPHA_BIT_FIELDS;
  const masksAfter = masked && size === 40 ? (compression === ALPHA_BIT_FIELDS ? 16 : 12) : 0;
  const start = size + masksAfter;
  const paletteEntry = core ? 3 : 4;
  const named = field(32);
  const entries = bits > 8 ? Math.min(named, 256) : Math.min(named === 0 ? 1 << bits : named, 1 << bits);
  const palette = bytes.subarray(start, start + entries * paletteEntry);
  const masks = masked ? readMasks(bytes, size, masksAfter) : defaultMasks(bits, size >= 56 ? field(52) : 0);
  const topDown = stored < 0;
  return { size, width, height, topDown, bits, compression, palette, paletteEntry, masks, end: start + palette.length };
}

function readMasks(bytes: Buffer, size: number, masksAfter: number): DibHeader['masks'] {
  const known = Math.min(bytes.length, Math.max(size, 40 + masksAfter));
  const mask = (at: number): number => (at + 4 <= known ? bytes.readUInt32LE(at) : 0);
  return [mask(40), mask(44), mask(48), mask(52)];
}

function defaultMasks(bits: number, alpha: number): DibHeader['masks'] {
  return bits === 16 ? [0x7c00, 0x03e0, 0x001f, 0] : [0xff0000, 0xff00, 0xff, bits === 32 ? alpha : 0];
}

/** Decodes pixels that start at `pixels[0]`. Throws `ContentError('corrupt')` if they are truncated. */
export function decodeDib(header: DibHeader, pixels: Buffer): RawPicture {
  const { width, height, bits, compression } = header;
  const data = Buffer.alloc(width * height * 4);
  if (compression === RLE8 || compression === RLE4) paintIndexed(header, decodeRle(header, pixels), width, data);
  else if (compression !== RGB && compression !== BIT_FIELDS && compression !== ALPHA_BIT_FIELDS) throw corruptImage();
  else {
    const stride = Math.ceil((width * bits) / 32) * 4;
    // Some writers omit the padding of the last row.
    if (pixels.length < stride * (height - 1) + Math.ceil((width * bits) / 8)) throw corruptImage();
    if (bits <= 8) paintIndexed(header, unpackIndices(header, pixels, stride), width, data);
    else paintDirect(header, pixels, stride, data);
  }
  return { data, width, height };
}

/** Returns one byte per pixel, rows in the file's order. */
function unpackIndices({ width, height, bits }: DibHeader, pixels: Buffer, stride: number): Uint8Array {
  const indices = new Uint8Array(width * height);
  const perByte = 8 / bits;
  const mask = (1 << bits) - 1;
  for (let row = 0; row < height; row += 1) {
    for (let x = 0; x < width; x += 1) {
      const byte = pixels[row * stride + Math.floor(x / perByte)] ?? 0;
      indices[row * width + x] = (byte >> (8 - bits - (x % perByte) * bits)) & mask;
    }
  }
  return indices;
}

function paintIndexed(header: DibHeader, indices: Uint8Array, width: number, data: Buffer): void {
  const { palette, paletteEntry, height, topDown } = header;
  for (let row = 0; row < height; row += 1) {
    const source = (topDown ? row : height - 1 - row) * width;
    for (let x = 0; x < width; x += 1) {
      // An index beyond the palette is black.
      const entry = (indices[source + x] ?? 0) * paletteEntry;
      const at = (row * width + x) * 4;
      data[at] = palette[entry + 2] ?? 0;
      data[at + 1] = palette[entry + 1] ?? 0;
      data[at + 2] = palette[entry] ?? 0;
      data[at + 3] = 255;
    }
  }
}

function paintDirect(header: DibHeader, pixels: Buffer, stride: number, data: Buffer): void {
  const { width, height, bits, topDown, masks } = header;
  const [red, green, blue, alpha] = masks.map(channelReader);
  const bytes = bits / 8;
  let opacity = 0;
  for (let row = 0; row < height; row += 1) {
    const source = (topDown ? row : height - 1 - row) * stride;
    for (let x = 0; x < width; x += 1) {
      const value = pixels.readUIntLE(source + x * bytes, bytes);
      const at = (row * width + x) * 4;
      data[at] = red?.(value) ?? 0;
      data[at + 1] = green?.(value) ?? 0;
      data[at + 2] = blue?.(value) ?? 0;
      data[at + 3] = masks[3] === 0 ? 255 : (alpha?.(value) ?? 255);
      opacity |= data[at + 3] ?? 0;
    }
  }
  // Writers without transparency leave the fourth byte at 0.
  if (opacity === 0) for (let at = 3; at < data.length; at += 4) data[at] = 255;
}

/** Returns a function that extracts the bits under `mask`, scaled to 0..255. */
function channelReader(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const top = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / top);
}
