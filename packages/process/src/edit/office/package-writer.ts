/**
 * Writes a copy of a zip-based office file with some of its parts replaced. The other parts are copied in their
 * compressed form, in the same order.
 */
import { fstatSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import { ContentError } from '@quire/blocks/content-error';
import { readAt } from '@quire/parse/archive/zip-directory';
import { openZip } from './open-zip.ts';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const LOCAL_BYTES = 30;
const DIRECTORY_BYTES = 46;
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;
/** Flag for sizes stored after the data. It is cleared, because the written file stores them in the header. */
const FLAG_DESCRIPTOR = 1 << 3;
const FLAG_UTF8 = 1 << 11;
const ZIP64_FIELD = 1;
const MAX_BYTES = 0xffff_fffe;

interface Member {
  nameBytes: Buffer;
  /** Name with forward slashes, in lower case. */
  key: string;
  data: Buffer;
  method: number;
  crc: number;
  size: number;
  entry: Entry | undefined;
}

export interface PartChanges {
  /** New bytes by part name as in the directory, compared without case. A name that does not exist is added. */
  written: ReadonlyMap<string, Uint8Array>;
  removed?: ReadonlySet<string>;
}

export async function rewritePackage(descriptor: number, changes: PartChanges): Promise<Buffer> {
  const written = new Map([...changes.written].map(([name, bytes]) => [name.toLowerCase(), { name, bytes }]));
  const removed = new Set([...(changes.removed ?? [])].map((name) => name.toLowerCase()));
  const seen = new Set<string>();
  const members: Member[] = [];
  for (const entry of await entriesOf(descriptor)) {
    const key = entry.fileNameRaw.toString('utf8').replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
    if (seen.has(key) || removed.has(key)) continue;
    seen.add(key);
    const change = written.get(key);
    members.push(change === undefined ? copied(descriptor, entry, key) : replaced(entry, key, change.bytes));
  }
  for (const [key, { name, bytes }] of written) {
    if (!seen.has(key)) members.push(added(name, key, bytes));
  }
  return serialise(members);
}

async function entriesOf(descriptor: number): Promise<Entry[]> {
  const zip = await openZip(descriptor, fstatSync(descriptor).size);
  const entries: Entry[] = [];
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
  return entries;
}

function copied(descriptor: number, entry: Entry, key: string): Member {
  const header = readAt(descriptor, entry.relativeOffsetOfLocalHeader, LOCAL_BYTES);
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER) {
    throw new ContentError('corrupt', 'The file is damaged: one of its parts cannot be found');
  }
  const start = entry.relativeOffsetOfLocalHeader + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const data = readAt(descriptor, start, entry.compressedSize);
  if (data.length < entry.compressedSize) {
    throw new ContentError('corrupt', 'The file is damaged: one of its parts is cut off');
  }
  const { compressionMethod: method, crc32: crc, uncompressedSize: size } = entry;
  return { nameBytes: entry.fileNameRaw, key, data, method, crc, size, entry };
}

const replaced = (entry: Entry, key: string, bytes: Uint8Array): Member => ({
  ...packed(bytes, entry.compressionMethod === STORED),
  nameBytes: entry.fileNameRaw,
  key,
  entry,
});

const added = (name: string, key: string, bytes: Uint8Array): Member => ({
  ...packed(bytes, false),
  nameBytes: Buffer.from(name),
  key,
  entry: undefined,
});

const packed = (bytes: Uint8Array, stored: boolean): Pick<Member, 'data' | 'method' | 'crc' | 'size'> => ({
  data: stored ? Buffer.from(bytes) : deflateRawSync(bytes),
  method: stored ? STORED : DEFLATED,
  crc: crc32(bytes),
  size: bytes.length,
});

function serialise(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const header = Buffer.alloc(LOCAL_BYTES);
    header.writeUInt32LE(LOCAL_HEADER, 0);
    writeCommon(header, 4, member);
    header.writeUInt16LE(member.nameBytes.length, 26);
    directory.push(directoryRecord(member, offset));
    parts.push(header, member.nameBytes, member.data);
    offset += header.length + member.nameBytes.length + member.data.length;
    if (offset > MAX_BYTES) throw new ContentError('too_large', 'The edited file would be too large');
  }
  const directoryBytes = directory.reduce((sum, record) => sum + record.length, 0);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(DIRECTORY_END, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** Writes the 22 bytes that both kinds of header share: version needed, flags, method, time, checksum and sizes. */
function writeCommon(header: Buffer, at: number, { entry, method, crc, data, size }: Member): void {
  const flags = entry === undefined ? FLAG_UTF8 : entry.generalPurposeBitFlag & ~FLAG_DESCRIPTOR;
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(flags, at + 2);
  header.writeUInt16LE(method, at + 4);
  header.writeUInt16LE(entry?.lastModFileTime ?? 0, at + 6);
  header.writeUInt16LE(entry?.lastModFileDate ?? 0x21, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(data.length, at + 14);
  header.writeUInt32LE(size, at + 18);
}

function directoryRecord(member: Member, offset: number): Buffer {
  const { entry, nameBytes } = member;
  const extra = entry === undefined ? Buffer.alloc(0) : withoutZip64(entry.extraFieldRaw);
  const header = Buffer.alloc(DIRECTORY_BYTES);
  header.writeUInt32LE(DIRECTORY_HEADER, 0);
  header.writeUInt16LE(entry?.versionMadeBy ?? 20, 4);
  writeCommon(header, 6, member);
  header.writeUInt16LE(nameBytes.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt16LE(entry?.internalFileAttributes ?? 0, 36);
  header.writeUInt32LE(entry?.externalFileAttributes ?? 0, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, nameBytes, extra]);
}

function withoutZip64(extra: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) !== ZIP64_FIELD && end <= extra.length) kept.push(extra.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
