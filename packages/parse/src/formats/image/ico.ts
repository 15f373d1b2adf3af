/** Reads the largest image of an ICO or CUR file: a PNG, or a bitmap with a one-bit mask. */
import { decodeDib, readDibHeader } from './dib.ts';
import type { DibHeader } from './dib.ts';
import { corruptImage } from './raw-picture.ts';
import type { RawPicture } from './raw-picture.ts';

const DIRECTORY_HEADER = 6;
const DIRECTORY_ENTRY = 16;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Frame {
  bytes: Buffer;
  /** Width times height from the directory, where 0 means 256. */
  area: number;
  bits: number;
}

/** Returns PNG frames unchanged for sharp to read. Throws `ContentError` (`corrupt`, `too_large`). */
export function decodeIco(bytes: Buffer, maxPixels: number): { png: Buffer } | RawPicture {
  const frames = readDirectory(bytes).toSorted((a, b) => b.area - a.area || b.bits - a.bits);
  const [largest] = frames;
  if (largest === undefined) throw corruptImage();
  if (largest.bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return { png: largest.bytes };
  const header = readDibHeader(largest.bytes, true, maxPixels);
  const withAlpha: DibHeader =
    header.bits === 32 ? { ...header, masks: [header.masks[0], header.masks[1], header.masks[2], 0xff000000] } : header;
  const picture = decodeDib(withAlpha, largest.bytes.subarray(header.end));
  if (header.bits < 32) applyMask(picture, header, largest.bytes);
  return picture;
}

function readDirectory(bytes: Buffer): Frame[] {
  if (bytes.length < DIRECTORY_HEADER || bytes.readUInt16LE(0) !== 0) throw corruptImage();
  const count = bytes.readUInt16LE(4);
  const frames: Frame[] = [];
  for (let index = 0; index < count; index += 1) {
    const entry = bytes.subarray(DIRECTORY_HEADER + index * DIRECTORY_ENTRY).subarray(0, DIRECTORY_ENTRY);
    if (entry.length < DIRECTORY_ENTRY) break;
    const start = entry.readUInt32LE(12);
    const frame = bytes.subarray(start, start + entry.readUInt32LE(8));
    if (frame.length === 0) continue;
    frames.push({ bytes: frame, area: (entry[0] || 256) * (entry[1] || 256), bits: entry.readUInt16LE(6) });
  }
  return frames;
}

/** Makes pixels with a set mask bit transparent. A truncated mask leaves the image opaque. */
function applyMask(picture: RawPicture, header: DibHeader, bytes: Buffer): void {
  const { width, height } = picture;
  const pixelStride = Math.ceil((width * header.bits) / 32) * 4;
  const maskStride = Math.ceil(width / 32) * 4;
  const mask = bytes.subarray(header.end + pixelStride * height);
  if (mask.length < maskStride * height) return;
  for (let row = 0; row < height; row += 1) {
    for (let x = 0; x < width; x += 1) {
      const byte = mask[(height - 1 - row) * maskStride + (x >> 3)] ?? 0;
      if ((byte >> (7 - (x & 7))) & 1) picture.data[(row * width + x) * 4 + 3] = 0;
    }
  }
}
