import type { FileProbe } from '../../../validate/file-probe.ts';
import type { MeasuredSize } from './image-size.ts';

const WIDTH = 256;
const HEIGHT = 257;
const SHORT = 3;

/** Returns the size of the first page; undefined for BigTIFF, which only the decoder checks. */
export function tiffSize(probe: FileProbe): MeasuredSize {
  const little = probe.head[0] === 0x49;
  const u16 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const header = probe.read(0, 8);
  if (header.length < 8) return 'corrupt';
  if (u16(header, 2) === 43) return undefined;
  const at = u32(header, 4);
  const countBytes = probe.read(at, 2);
  if (countBytes.length < 2) return 'corrupt';
  const entries = probe.read(at + 2, u16(countBytes, 0) * 12);
  const sides = new Map<number, number>();
  for (let entry = 0; entry + 12 <= entries.length; entry += 12) {
    const value = u16(entries, entry + 2) === SHORT ? u16(entries, entry + 8) : u32(entries, entry + 8);
    sides.set(u16(entries, entry), value);
  }
  const width = sides.get(WIDTH);
  const height = sides.get(HEIGHT);
  return width === undefined || height === undefined ? 'corrupt' : { width, height };
}
