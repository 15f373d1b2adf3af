/** Builds TIFF directories without pixels in all three layouts. */
type TiffKind = 'little' | 'big' | 'bigtiff';

interface Directory {
  compression: number;
  subfileType?: number;
  /** Horizontal and vertical resolution. */
  resolution?: readonly [number, number];
}

interface Chain {
  /** Offset of the next directory in the last one; 0 for none. */
  next?: number;
}

const LONG = 4;
const RATIONAL = 5;
const SHORT = 3;

export function tiff(kind: TiffKind, directories: readonly Directory[], { next = 0 }: Chain = {}): Buffer {
  const wide = kind === 'bigtiff';
  const uint = (value: number, size: number): Buffer => {
    const bytes = Buffer.alloc(size);
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value));
    else if (kind === 'big') bytes.writeUIntBE(value, 0, size);
    else bytes.writeUIntLE(value, 0, size);
    return bytes;
  };
  const pointer = wide ? 8 : 4;
  const head = Buffer.concat([
    Buffer.from(kind === 'big' ? 'MM' : 'II'),
    uint(wide ? 43 : 42, 2),
    ...(wide ? [uint(8, 2), uint(0, 2), uint(16, 8)] : [uint(8, 4)]),
  ]);
  const parts: Buffer[] = [head];
  let at = head.length;
  directories.forEach(({ compression, subfileType, resolution }, index) => {
    const count = 1 + (subfileType === undefined ? 0 : 1) + (resolution === undefined ? 0 : 2);
    const size = (wide ? 8 : 2) + count * (wide ? 20 : 12) + pointer;
    const fractions: Buffer[] = [];
    const entry = (tag: number, type: number, value: Buffer): Buffer =>
      Buffer.concat([uint(tag, 2), uint(type, 2), uint(1, wide ? 8 : 4), value, Buffer.alloc(pointer - value.length)]);
    const fraction = (tag: number, value: number): Buffer => {
      const bytes = Buffer.concat([uint(value, 4), uint(1, 4)]);
      if (wide) return entry(tag, RATIONAL, bytes);
      fractions.push(bytes);
      return entry(tag, RATIONAL, uint(at + size + (fractions.length - 1) * 8, 4));
    };
    const entries = [
      ...(subfileType === undefined ? [] : [entry(254, LONG, uint(subfileType, 4))]),
      entry(259, SHORT, uint(compression, 2)),
      ...(resolution === undefined ? [] : [fraction(282, resolution[0]), fraction(283, resolution[1])]),
    ];
    const end = at + size + fractions.length * 8;
    const following = index === directories.length - 1 ? next : end;
    parts.push(uint(count, wide ? 8 : 2), ...entries, uint(following, pointer), ...fractions);
    at = end;
  });
  return Buffer.concat(parts);
}
