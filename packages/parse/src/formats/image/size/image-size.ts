/**
 * Reads width and height from image headers, so that an image that would exhaust the memory is refused before it is
 * decoded. Returns `corrupt` for a header that no decoder accepts, and undefined if the header does not state the size;
 * then only the decoder's own limit applies.
 */
import type { FileProbe } from '../../../validate/file-probe.ts';

export interface PixelSize {
  width: number;
  height: number;
}

export type MeasuredSize = PixelSize | 'corrupt' | undefined;

export type ImageMeasure = (probe: FileProbe) => MeasuredSize;

const MAX_STRAY_BYTES = 64 * 1024;

/** The header chunk should come first, but decoders also accept it after other chunks. */
export function pngSize({ head }: FileProbe): MeasuredSize {
  const at = head.indexOf('IHDR');
  if (at < 0 || at + 12 > head.length) return 'corrupt';
  return { width: head.readUInt32BE(at + 4), height: head.readUInt32BE(at + 8) };
}

export function gifSize({ head }: FileProbe): MeasuredSize {
  if (head.length < 13) return 'corrupt';
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

/** Walks the segments up to the frame header and skips thumbnails inside segments. */
export function jpegSize(probe: FileProbe): MeasuredSize {
  let at = 2;
  for (let count = 0; count < 1000; count += 1) {
    const segment = probe.read(at, 9);
    if (segment.length < 4) return 'corrupt';
    const marker = segment[1] ?? 0;
    if (segment[0] !== 0xff) {
      // Decoders skip stray bytes between segments.
      const next = probe.read(at, MAX_STRAY_BYTES).indexOf(0xff);
      if (next < 0) return 'corrupt';
      at += next;
    } else if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (isFrame(marker)) {
      return segment.length < 9 ? 'corrupt' : { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
    } else if (marker === 0xda || marker === 0xd9) return 'corrupt';
    else at += 2 + segment.readUInt16BE(2);
  }
  return 'corrupt';
}

/** SOF0 to SOF15, except the markers of Huffman tables, arithmetic tables and extensions in that range. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

export function bmpSize({ head }: FileProbe): MeasuredSize {
  if (head.length < 26) return 'corrupt';
  const headerBytes = head.readUInt32LE(14);
  if (headerBytes === 12) return { width: head.readUInt16LE(18), height: head.readUInt16LE(20) };
  // A negative height means that the rows run from top to bottom; a negative width is invalid.
  return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
}

export function webpSize({ head }: FileProbe): MeasuredSize {
  if (head.length < 30) return 'corrupt';
  const chunk = head.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return { width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) };
  if (chunk === 'VP8 ') return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
  if (chunk !== 'VP8L') return 'corrupt';
  const bits = head.readUInt32LE(21);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

/** Icons are at most 256 pixels wide unless they hold a PNG, whose decoder has its own limit. */
export function icoSize({ head, sizeBytes }: FileProbe): MeasuredSize {
  const count = head.length < 6 ? 0 : head.readUInt16LE(4);
  if (count === 0 || 6 + count * 16 > sizeBytes) return 'corrupt';
  return { width: head[6] || 256, height: head[7] || 256 };
}
