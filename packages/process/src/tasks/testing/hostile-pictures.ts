/** Builds pictures that claim, or inflate to, far more than they hold, or that are damaged in one place. */
import { crc32, deflateRawSync, deflateSync, constants } from 'node:zlib';

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** An entry of a TIFF's or EXIF's directory. */
const entry = (tag: number, kind: number, count: number, value: number): Buffer =>
  Buffer.concat([u16(tag), u16(kind), u32(count), u32(value)]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

interface PngSpec {
  width: number;
  height: number;
  /** Compressed pixels. */
  pixels: Buffer;
  bits?: 1 | 8 | 16;
  /** PNG's colour type: 0 is grey, 2 RGB, 6 RGB with transparency. */
  colour?: 0 | 2 | 6;
  /** Chunks between header and pixels. */
  extra?: readonly Buffer[];
}

export function png({ width, height, pixels, bits = 1, colour = 0, extra = [] }: PngSpec): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, colour, 0, 0, 0], 8);
  const parts = [chunk('IHDR', header), ...extra, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

/** A chunk of text that inflates to `size` bytes. */
export const textBomb = (size: number): Buffer =>
  chunk('zTXt', Buffer.concat([Buffer.from('comment\0\0'), zeros(size)]));

const MEGABYTE = 1024 ** 2;

/** Returns a zlib stream of `size` zero bytes; each megabyte is the same block, so that it takes no time to build. */
export function zeros(size: number): Buffer {
  const whole = Math.floor(size / MEGABYTE);
  const block = deflateRawSync(Buffer.alloc(MEGABYTE), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const last = deflateRawSync(Buffer.alloc(size % MEGABYTE), { level: 9 });
  // Adler-32 of zeros: the first sum stays 1, the second one counts the bytes.
  const sum = Buffer.alloc(4);
  sum.writeUInt16BE(size % 65_521, 0);
  sum.writeUInt16BE(1, 2);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...Array<Buffer>(whole).fill(block), last, sum]);
}

/** Pixels of a white PNG of 1 bit; each row begins with its filter. */
export function whiteRows(width: number, height: number): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff);
  row[0] = 0;
  return deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)), { level: 9 });
}

interface BmpSpec {
  width: number;
  height: number;
  bits: number;
  /** 0: none, 1: RLE8. */
  compression?: 0 | 1;
  pixels: Buffer;
}

export function bmp({ width, height, bits, compression = 0, pixels }: BmpSpec): Buffer {
  const palette = bits <= 8 ? Buffer.from('ffffff0000000000', 'hex') : Buffer.alloc(0);
  const start = 54 + palette.length;
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(start + pixels.length, 2);
  head.writeUInt32LE(start, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  head.writeUInt32LE(palette.length / 4, 46);
  return Buffer.concat([head, palette, pixels]);
}

export interface TiffPageSpec {
  width: number;
  height: number;
  /** Bits of each of `samples` samples. Default 1. */
  bits?: number;
  samples?: number;
  /** 1: none, 8: deflate. */
  compression?: 1 | 8;
  pixels: Buffer;
  /** Offset of the pixels, if not their real one. */
  at?: number;
  /** 1: a reduced copy of another page. */
  subfile?: 0 | 1;
}

/** `next` is the offset that the last directory names: 0 ends the file, 8 begins again. */
export function tiff(pages: readonly TiffPageSpec[], next = 0): Buffer {
  const parts: Buffer[] = [Buffer.from('49492a0008000000', 'hex')];
  let at = 8;
  pages.forEach((page, index) => {
    const { width, height, bits = 1, samples = 1, compression = 1, pixels, subfile = 0 } = page;
    const size = 2 + 12 * 11 + 4;
    const depths = samples > 2 ? Buffer.concat(Array<Buffer>(samples).fill(u16(bits))) : Buffer.alloc(0);
    const pixelsAt = at + size + depths.length;
    const end = pixelsAt + pixels.length;
    const entries = [
      entry(254, 4, 1, subfile),
      entry(256, 4, 1, width),
      entry(257, 4, 1, height),
      entry(258, 3, samples, samples > 2 ? at + size : bits),
      entry(259, 3, 1, compression),
      entry(262, 3, 1, samples > 2 ? 2 : 1),
      entry(273, 4, 1, page.at ?? pixelsAt),
      entry(277, 3, 1, samples),
      entry(278, 4, 1, height),
      entry(279, 4, 1, pixels.length),
      entry(339, 3, 1, bits === 64 ? 3 : 1),
    ];
    parts.push(u16(entries.length), ...entries, u32(index === pages.length - 1 ? next : end), depths, pixels);
    at = end;
  });
  return Buffer.concat(parts);
}

/** Inserts an EXIF segment with these bytes after the start of a JPEG. */
export function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, jpeg.subarray(2)]);
}

/** EXIF whose directory names itself, values far beyond its end, and an impossible orientation. */
export function brokenExif(): Buffer {
  const entries = [
    entry(0x010e, 2, 0xffffffff, 0xfffffff0),
    entry(0x0112, 3, 1, 65_535),
    entry(0x011a, 5, 1, 0xfffffff0),
    entry(0x8769, 4, 1, 8),
    entry(0x8825, 4, 1, 8),
  ];
  const tiffPart = [Buffer.from('49492a0008000000', 'hex'), u16(0xffff), ...entries, u32(8)];
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), ...tiffPart]);
}

/** Writes another size into the frame header of a baseline JPEG. */
export function withJpegSize(jpeg: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg);
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

/** A RIFF file with an extended header that states `width` and `height`, before the chunks of `webp`. */
export function withWebpCanvas(webp: Buffer, width: number, height: number): Buffer {
  const canvas = Buffer.alloc(10);
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const body = Buffer.concat([Buffer.from('WEBPVP8X'), u32(10), canvas, webp.subarray(12)]);
  return Buffer.concat([Buffer.from('RIFF'), u32(body.length), body]);
}
