import type { FileProbe } from '../../../validate/file-probe.ts';
import type { MeasuredSize, PixelSize } from './image-size.ts';

const MAX_BOXES = 64;
const MAX_META_BYTES = 1024 * 1024;
const BOX_HEADER = 8;

/**
 * Returns the largest size (`ispe`) in the `meta` box, which is the whole image for a grid of tiles. Sequences have
 * none.
 */
export function avifSize(probe: FileProbe): MeasuredSize {
  let at = 0;
  for (let count = 0; count < MAX_BOXES && at < probe.sizeBytes; count += 1) {
    const header = probe.read(at, 16);
    if (header.length < BOX_HEADER) return 'corrupt';
    const type = header.toString('latin1', 4, 8);
    const bytes = boxBytes(header, probe.sizeBytes - at);
    if (bytes === undefined || at + bytes > probe.sizeBytes) return type === 'mdat' ? undefined : 'corrupt';
    if (type === 'meta') return largestSize(probe.read(at, Math.min(bytes, MAX_META_BYTES)));
    at += bytes;
  }
  return undefined;
}

function boxBytes(header: Buffer, rest: number): number | undefined {
  const short = header.readUInt32BE(0);
  if (short === 0) return rest;
  if (short !== 1) return short < BOX_HEADER ? undefined : short;
  const long = header.length < 16 ? 0n : header.readBigUInt64BE(8);
  return long < 16n || long > BigInt(rest) ? undefined : Number(long);
}

function largestSize(meta: Buffer): MeasuredSize {
  let largest: PixelSize | undefined;
  for (let at = meta.indexOf('ispe'); at >= 0 && at + 16 <= meta.length; at = meta.indexOf('ispe', at + 4)) {
    const size = { width: meta.readUInt32BE(at + 8), height: meta.readUInt32BE(at + 12) };
    if (largest === undefined || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
