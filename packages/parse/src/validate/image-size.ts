/**
 * Width and height of pictures from their headers, so that one that would fill the memory is refused before anything
 * decodes it. `corrupt`: no decoder could make sense of the header. Undefined: the size stands elsewhere, and the
 * decoder's own limit has to do.
 */
import type { Format } from '@quire/blocks/format';
import { avifSize } from './avif-size.ts';
import type { FileProbe } from './file-probe.ts';
import { tiffSize } from './tiff-size.ts';

export interface PixelSize {
  width: number;
  height: number;
}

export type MeasuredSize = PixelSize | 'corrupt' | undefined;

type Measure = (probe: FileProbe) => MeasuredSize;

const MEASURES: Partial<Record<Format, Measure>> = {
  png: pngSize,
  apng: pngSize,
  gif: gifSize,
  jpg: jpegSize,
  bmp: bmpSize,
  webp: webpSize,
  ico: icoSize,
  tiff: tiffSize,
  avif: avifSize,
};

/** A size without area is `corrupt` too. */
export function measureImage(format: Format, probe: FileProbe): MeasuredSize {
  const size = MEASURES[format]?.(probe);
  return typeof size === 'object' && (size.width <= 0 || size.height <= 0) ? 'corrupt' : size;
}

const MAX_STRAY_BYTES = 64 * 1024;

/** The header comes first, but decoders also take it after other chunks. */
function pngSize({ head }: FileProbe): MeasuredSize {
  const at = head.indexOf('IHDR');
  if (at < 0 || at + 12 > head.length) return 'corrupt';
  return { width: head.readUInt32BE(at + 4), height: head.readUInt32BE(at + 8) };
}

function gifSize({ head }: FileProbe): MeasuredSize {
  if (head.length < 13) return 'corrupt';
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

/** Walks the segments to the frame header; thumbnails inside segments are stepped over. */
function jpegSize(probe: FileProbe): MeasuredSize {
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

/** SOF0 to SOF15, without the Huffman table, the arithmetic table and the extension in between. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function bmpSize({ head }: FileProbe): MeasuredSize {
  if (head.length < 26) return 'corrupt';
  const headerBytes = head.readUInt32LE(14);
  if (headerBytes === 12) return { width: head.readUInt16LE(18), height: head.readUInt16LE(20) };
  // A negative height means rows from top to bottom; a negative width means nothing.
  return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
}

function webpSize({ head }: FileProbe): MeasuredSize {
  if (head.length < 30) return 'corrupt';
  const chunk = head.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return { width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) };
  if (chunk === 'VP8 ') return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
  if (chunk !== 'VP8L') return 'corrupt';
  const bits = head.readUInt32LE(21);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

/** Icons are at most 256 pixels wide unless they hold a PNG, whose decoder looks for itself. */
function icoSize({ head, sizeBytes }: FileProbe): MeasuredSize {
  const count = head.length < 6 ? 0 : head.readUInt16LE(4);
  if (count === 0 || 6 + count * 16 > sizeBytes) return 'corrupt';
  return { width: head[6] || 256, height: head[7] || 256 };
}
