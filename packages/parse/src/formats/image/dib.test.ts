import { describe, expect, it } from 'vitest';
import { decodeBmp } from './bmp.ts';
import { decodeIco } from './ico.ts';
import type { RawPicture } from './raw-picture.ts';

const TOO_MANY_PIXELS = 1_000_000;

interface BmpSpec {
  width: number;
  height: number;
  bits: number;
  compression?: number;
  /** Blue, green, red, 0. */
  palette?: readonly number[];
  masks?: readonly number[];
  pixels: readonly number[];
}

function dib({ width, height, bits, compression = 0, palette = [], masks = [], pixels }: BmpSpec): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(width, 4);
  header.writeInt32LE(height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(bits, 14);
  header.writeUInt32LE(compression, 16);
  header.writeUInt32LE(palette.length / 4, 32);
  const maskBytes = Buffer.alloc(masks.length * 4);
  masks.forEach((mask, index) => maskBytes.writeUInt32LE(mask, index * 4));
  return Buffer.concat([header, maskBytes, Buffer.from(palette), Buffer.from(pixels)]);
}

function bmp(spec: BmpSpec): Buffer {
  const body = dib(spec);
  const file = Buffer.alloc(14);
  file.write('BM');
  file.writeUInt32LE(14 + body.length - spec.pixels.length, 10);
  return Buffer.concat([file, body]);
}

function ico(body: Buffer, width: number, height: number): Buffer {
  const directory = Buffer.alloc(22);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(1, 4);
  directory[6] = width;
  directory[7] = height;
  directory.writeUInt32LE(body.length, 14);
  directory.writeUInt32LE(22, 18);
  return Buffer.concat([directory, body]);
}

/** Returns the rows of pixels as `rrggbbaa`. */
function rows({ data, width, height }: RawPicture): string[][] {
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (__, x) => data.toString('hex', (row * width + x) * 4, (row * width + x) * 4 + 4)),
  );
}

const RED = 'ff0000ff';
const BLUE = '0000ffff';
const BLACK = '000000ff';
const WHITE = 'ffffffff';
const RED_BLUE = [0, 0, 255, 0, 255, 0, 0, 0];

describe('decodeBmp', () => {
  it('reads 1, 4 and 8 bits a pixel through the palette, from the bottom row up', () => {
    const expected = [
      [RED, BLUE],
      [BLUE, BLUE],
    ];
    const size = { width: 2, height: 2, palette: RED_BLUE };
    const one = bmp({ ...size, bits: 1, pixels: [0b11000000, 0, 0, 0, 0b01000000, 0, 0, 0] });
    const four = bmp({ ...size, bits: 4, pixels: [0x11, 0, 0, 0, 0x01, 0, 0, 0] });
    const eight = bmp({ ...size, bits: 8, pixels: [1, 1, 0, 0, 0, 1, 0, 0] });
    for (const file of [one, four, eight]) expect(rows(decodeBmp(file, TOO_MANY_PIXELS))).toEqual(expected);
  });

  it('reads 16 bits as 5-5-5 or by the given masks', () => {
    const plain = bmp({ width: 2, height: 1, bits: 16, pixels: [0x00, 0x7c, 0x1f, 0x00] });
    expect(rows(decodeBmp(plain, TOO_MANY_PIXELS))).toEqual([[RED, BLUE]]);
    const masks = [0xf800, 0x07e0, 0x001f];
    const masked = bmp({ width: 2, height: 1, bits: 16, compression: 3, masks, pixels: [0x00, 0xf8, 0xff, 0xff] });
    expect(rows(decodeBmp(masked, TOO_MANY_PIXELS))).toEqual([[RED, WHITE]]);
  });

  it('reads 24 and 32 bits, ignores an unused fourth byte, and turns upside-down files', () => {
    const wide = bmp({ width: 1, height: -2, bits: 24, pixels: [0, 0, 255, 0, 255, 0, 0, 0] });
    expect(rows(decodeBmp(wide, TOO_MANY_PIXELS))).toEqual([[RED], [BLUE]]);
    const deep = bmp({ width: 2, height: 1, bits: 32, pixels: [0, 0, 255, 0, 255, 0, 0, 0] });
    expect(rows(decodeBmp(deep, TOO_MANY_PIXELS))).toEqual([[RED, BLUE]]);
  });

  it('decodes runs, literals, moves and line ends of RLE8 and RLE4', () => {
    const size = { width: 4, height: 2, palette: RED_BLUE };
    const eight = bmp({ ...size, bits: 8, compression: 1, pixels: [4, 1, 0, 0, 0, 3, 0, 1, 0, 0, 1, 1, 0, 1] });
    expect(rows(decodeBmp(eight, TOO_MANY_PIXELS))).toEqual([
      [RED, BLUE, RED, BLUE],
      [BLUE, BLUE, BLUE, BLUE],
    ]);
    const four = bmp({ ...size, bits: 4, compression: 2, pixels: [4, 0x01, 0, 0, 0, 2, 2, 0, 2, 0x11, 0, 1] });
    expect(rows(decodeBmp(four, TOO_MANY_PIXELS))).toEqual([
      [RED, RED, BLUE, BLUE],
      [RED, BLUE, RED, BLUE],
    ]);
  });

  it('paints indices beyond the palette black', () => {
    const file = bmp({ width: 2, height: 1, bits: 8, palette: RED_BLUE, pixels: [0, 9, 0, 0] });
    expect(rows(decodeBmp(file, TOO_MANY_PIXELS))).toEqual([[RED, BLACK]]);
  });

  it('calls cut-off pixels, odd depths, no width and other bytes corrupt', () => {
    const whole = bmp({ width: 20, height: 20, bits: 24, pixels: Array<number>(1200).fill(7) });
    expect(decodeBmp(whole, TOO_MANY_PIXELS).width).toBe(20);
    const broken = [
      whole.subarray(0, whole.length - 40),
      whole.subarray(0, 30),
      bmp({ width: 2, height: 2, bits: 7, pixels: [] }),
      bmp({ width: 0, height: 2, bits: 24, pixels: [] }),
      bmp({ width: -3, height: 2, bits: 24, pixels: [] }),
      bmp({ width: 4, height: 2, bits: 8, compression: 1, pixels: [4, 1, 0] }),
      Buffer.from('no bitmap at all'),
    ];
    for (const file of broken) {
      expect(() => decodeBmp(file, TOO_MANY_PIXELS)).toThrow(expect.objectContaining({ type: 'corrupt' }));
    }
  });

  it('refuses more pixels than allowed before it decodes any', () => {
    const bomb = bmp({ width: 65_535, height: 32_767, bits: 1, pixels: [] });
    expect(() => decodeBmp(bomb, TOO_MANY_PIXELS)).toThrow(expect.objectContaining({ type: 'too_large' }));
  });
});

describe('decodeIco', () => {
  it('makes pixels under the mask transparent', () => {
    const pixels = [0, 0, 255, 255, 0, 0, 0, 0, 0b01000000, 0, 0, 0];
    const icon = decodeIco(ico(dib({ width: 2, height: 2, bits: 24, pixels }), 2, 1), TOO_MANY_PIXELS);
    expect('png' in icon ? null : rows(icon)).toEqual([[RED, '0000ff00']]);
  });

  it('keeps the alpha of 32-bit icons', () => {
    const pixels = [0, 0, 255, 128, 255, 0, 0, 255, 0, 0, 0, 0];
    const icon = decodeIco(ico(dib({ width: 2, height: 2, bits: 32, pixels }), 2, 1), TOO_MANY_PIXELS);
    expect('png' in icon ? null : rows(icon)).toEqual([['ff000080', BLUE]]);
  });

  it('returns PNG frames unchanged', () => {
    const png = Buffer.from('89504e470d0a1a0a00112233', 'hex');
    expect(decodeIco(ico(png, 0, 0), TOO_MANY_PIXELS)).toEqual({ png });
  });

  it('calls an empty or cut-off directory corrupt', () => {
    for (const file of [Buffer.alloc(3), Buffer.from([0, 0, 1, 0, 0, 0]), Buffer.from([0, 0, 1, 0, 1, 0, 16, 16])]) {
      expect(() => decodeIco(file, TOO_MANY_PIXELS)).toThrow(expect.objectContaining({ type: 'corrupt' }));
    }
  });
});
