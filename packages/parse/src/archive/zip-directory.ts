/**
 * Reads the directory at the end of a zip file, including zip64. It takes one read in total instead of two per member,
 * and leaves the judgement of hostile names to the caller. Inflates nothing. Accepts bytes before the archive
 * (self-extracting files) and after it. docs/decisions/2026-11-22-libraries.md says why no library does this.
 */
import { readSync } from 'node:fs';
import { extraField } from './extra-field.ts';
import { decodeMemberName } from './member-name.ts';

export interface ZipMember {
  /** The decoded name as stored. Pass it through `safeMemberPath` before using it as a path. */
  name: string;
  method: number;
  encrypted: boolean;
  symlink: boolean;
  directory: boolean;
  crc32: number;
  compressedBytes: number;
  /** The unpacked size that the directory declares; it is verified while inflating. */
  declaredBytes: number;
  /** Offset of the local header from the start of the file. */
  offset: number;
  nameBytes: number;
}

export interface ZipDirectory {
  members: ZipMember[];
  /** Offset of the directory; the data of all members end before it. */
  directoryOffset: number;
}

/** Thrown if the file is not a zip file or its directory cannot be read. */
export class ZipFormatError extends Error {
  override readonly name = 'ZipFormatError';
}

/** Thrown if the directory declares more members than allowed, before any entry is read. */
export class TooManyMembersError extends Error {
  override readonly name = 'TooManyMembersError';
}

const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const ZIP64_LOCATOR_BYTES = 20;
const ENTRY_BYTES = 46;
/** Maximum size of the directory, in bytes; 10,000 members take about 1 MB. */
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
const SENTINEL_32 = 0xffffffff;

interface DirectoryPlace {
  count: number;
  bytes: number;
  offset: number;
}

/** `fd` is open for reading. Throws `ZipFormatError` and `TooManyMembersError`. */
export function readZipDirectory(fd: number, sizeBytes: number, maxMembers: number): ZipDirectory {
  const { place, shift } = findDirectory(fd, sizeBytes);
  if (place.count > maxMembers) throw new TooManyMembersError(`${place.count} members`);
  const offset = place.offset + shift;
  if (offset < 0 || offset + place.bytes > sizeBytes) throw new ZipFormatError('The directory is outside the file');
  if (place.bytes > MAX_DIRECTORY_BYTES) throw new TooManyMembersError('The directory is too large');
  const bytes = readAt(fd, offset, place.bytes);
  return { members: parseEntries(bytes, shift, maxMembers), directoryOffset: offset };
}

/** Reads bytes of the file; returns fewer than requested only at its end. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

function findDirectory(fd: number, sizeBytes: number): { place: DirectoryPlace; shift: number } {
  const tailBytes = Math.min(sizeBytes, END_BYTES + MAX_COMMENT + ZIP64_LOCATOR_BYTES);
  const tailOffset = sizeBytes - tailBytes;
  const tail = readAt(fd, tailOffset, tailBytes);
  const at = findEndRecord(tail);
  if (at === undefined) {
    throw new ZipFormatError('There is no directory at the end: the file is cut off or not a zip file');
  }
  const zip64 = readZip64End(fd, tail, at, sizeBytes);
  const place = zip64?.place ?? {
    count: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  // The directory ends where its end record starts. A difference to its stated offset is the size of the data before
  // the archive.
  const end = zip64?.offset ?? tailOffset + at;
  return { place, shift: end - place.bytes - place.offset };
}

/**
 * Returns the offset of the last end record whose comment fits in the file, else of the last one: some writers declare
 * a comment and write none.
 */
function findEndRecord(tail: Buffer): number | undefined {
  let last: number | undefined;
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue;
    if (at + END_BYTES + tail.readUInt16LE(at + 20) <= tail.length) return at;
    last ??= at;
  }
  return last;
}

function readZip64End(
  fd: number,
  tail: Buffer,
  endAt: number,
  sizeBytes: number,
): { place: DirectoryPlace; offset: number } | undefined {
  const at = endAt - ZIP64_LOCATOR_BYTES;
  if (at < 0 || tail.readUInt32LE(at) !== 0x07064b50) return undefined;
  const offset = safeNumber(tail.readBigUInt64LE(at + 8));
  if (offset + 56 > sizeBytes) throw new ZipFormatError('The zip64 record is outside the file');
  const record = readAt(fd, offset, 56);
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50) {
    throw new ZipFormatError('The zip64 record is damaged');
  }
  const place = {
    count: safeNumber(record.readBigUInt64LE(32)),
    bytes: safeNumber(record.readBigUInt64LE(40)),
    offset: safeNumber(record.readBigUInt64LE(48)),
  };
  return { place, offset };
}

function parseEntries(bytes: Buffer, shift: number, maxMembers: number): ZipMember[] {
  const members: ZipMember[] = [];
  let at = 0;
  // Reads to the end of the directory, because the declared count wraps at 65,536 and may be wrong.
  while (at + ENTRY_BYTES <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    if (members.length >= maxMembers) throw new TooManyMembersError(`more than ${maxMembers} members`);
    const nameBytes = bytes.readUInt16LE(at + 28);
    const extraBytes = bytes.readUInt16LE(at + 30);
    const next = at + ENTRY_BYTES + nameBytes + extraBytes + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) throw new ZipFormatError('The directory is cut off');
    members.push(parseEntry(bytes.subarray(at, next), nameBytes, extraBytes, shift));
    at = next;
  }
  if (at < bytes.length && members.length === 0) throw new ZipFormatError('The directory is damaged');
  return members;
}

function parseEntry(entry: Buffer, nameBytes: number, extraBytes: number, shift: number): ZipMember {
  const flags = entry.readUInt16LE(8);
  const rawName = entry.subarray(ENTRY_BYTES, ENTRY_BYTES + nameBytes);
  const extra = entry.subarray(ENTRY_BYTES + nameBytes, ENTRY_BYTES + nameBytes + extraBytes);
  const name = decodeMemberName(rawName, extra, (flags & 0x800) !== 0);
  const sizes = wideSizes(extra, {
    declaredBytes: entry.readUInt32LE(24),
    compressedBytes: entry.readUInt32LE(20),
    offset: entry.readUInt32LE(42),
  });
  // The upper half of the external attributes is the Unix mode if the archive was made on Unix.
  const mode = entry[5] === 3 ? entry.readUInt32LE(38) >>> 16 : 0;
  return {
    name,
    method: entry.readUInt16LE(10),
    encrypted: (flags & 1) !== 0,
    symlink: (mode & 0o170000) === 0o120000,
    directory: name.endsWith('/') || (name.endsWith('\\') && entry.readUInt32LE(24) === 0),
    crc32: entry.readUInt32LE(16),
    compressedBytes: sizes.compressedBytes,
    declaredBytes: sizes.declaredBytes,
    offset: sizes.offset + shift,
    nameBytes,
  };
}

type Sizes = Pick<ZipMember, 'declaredBytes' | 'compressedBytes' | 'offset'>;

/** Replaces each size that does not fit in 32 bits by its value in the zip64 extra field, in this order. */
function wideSizes(extra: Buffer, narrow: Sizes): Sizes {
  const field = extraField(extra, 0x0001);
  const wide = { ...narrow };
  let at = 0;
  for (const name of ['declaredBytes', 'compressedBytes', 'offset'] as const) {
    if (narrow[name] !== SENTINEL_32) continue;
    if (field === undefined || at + 8 > field.length) throw new ZipFormatError('A zip64 field is missing');
    wide[name] = safeNumber(field.readBigUInt64LE(at));
    at += 8;
  }
  return wide;
}

function safeNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ZipFormatError('A size exceeds the largest possible file');
  return Number(value);
}
