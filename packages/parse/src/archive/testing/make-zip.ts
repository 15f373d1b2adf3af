/** Builds zip files for tests, including malformed ones. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  name: string | Buffer;
  data?: string | Buffer;
  /** 8 is deflate, 0 is stored. Default: deflate. */
  method?: number;
  /** General purpose flags; bit 0 encrypted, bit 11 UTF-8. Default: UTF-8. */
  flags?: number;
  /** Unix mode, e.g. 0o120777 for a link. */
  mode?: number;
  extra?: Buffer;
  /** A wrong size for the directory. */
  declaredBytes?: number;
  crc?: number;
  /** Offset of another local header to refer to. */
  offset?: number;
  /** Writes sizes and offset into a zip64 field. */
  wide?: boolean;
}

export function makeZip(parts: readonly ZipPart[], { before = '', after = '' } = {}): Buffer {
  const bodies: Buffer[] = [Buffer.from(before)];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { local, packed, central } = encode(part, part.offset ?? offset);
    entries.push(central);
    if (part.offset !== undefined) continue;
    bodies.push(local, packed);
    offset += local.length + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(0, 0, parts.length, parts.length),
    u32(directory.length, offset),
    u16(0),
  ]);
  return Buffer.concat([...bodies, directory, end, Buffer.from(after)]);
}

function encode(part: ZipPart, offset: number): { local: Buffer; packed: Buffer; central: Buffer } {
  const data = Buffer.from(part.data ?? '');
  const method = part.method ?? 8;
  const packed = method === 8 ? deflateRawSync(data) : data;
  const name = Buffer.from(part.name);
  const declared = part.declaredBytes ?? data.length;
  const flags = part.flags ?? 0x800;
  const common = Buffer.concat([u16(flags, method, 0, 0x5821), u32(part.crc ?? crc32(data))]);
  const local = Buffer.concat([
    u32(0x04034b50),
    u16(20),
    common,
    u32(packed.length, declared),
    u16(name.length, 0),
    name,
  ]);
  const wideField = Buffer.concat([u16(1, 24), u64(declared, packed.length, offset)]);
  const extra = Buffer.concat([part.wide === true ? wideField : Buffer.alloc(0), part.extra ?? Buffer.alloc(0)]);
  const narrow = (size: number): number => (part.wide === true ? 0xffffffff : size);
  const central = Buffer.concat([
    u32(0x02014b50),
    u16(part.mode === undefined ? 20 : 0x0314, 20),
    common,
    u32(narrow(packed.length), narrow(declared)),
    u16(name.length, extra.length, 0, 0, 0),
    u32(part.mode === undefined ? 0 : part.mode * 0x10000, narrow(offset)),
    name,
    extra,
  ]);
  return { local, packed, central };
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4));
  return bytes;
}

function u64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => bytes.writeBigUInt64LE(BigInt(value), index * 8));
  return bytes;
}
