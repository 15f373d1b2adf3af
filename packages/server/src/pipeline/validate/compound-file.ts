/**
 * The names of the streams at the root of a compound file (CFB: Word, Excel and PowerPoint up to 2003, encrypted
 * newer ones, messages, installers), read from its directory sectors alone. Format: [MS-CFB] sections 2.2 to 2.6.
 */
import type { FileProbe } from './file-probe.ts';

export interface CompoundStream {
  name: string;
  startSector: number;
  sizeBytes: number;
}

export interface CompoundFile {
  streams: CompoundStream[];
  /** The first bytes of a stream of at least 4 kB, at most one sector. */
  firstBytes: (stream: CompoundStream) => Buffer;
}

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const LAST_SECTOR = 0xfffffffa;
const NO_ENTRY = 0xffffffff;
/** 65,000 entries; the documents with the most embedded objects have a few hundred. */
const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024;
const MAX_DIFAT_SECTORS = 1024;

export const isCompoundFile = (head: Buffer): boolean => head.subarray(0, 8).equals(SIGNATURE);

/** Undefined when the directory cannot be read: the file is damaged or cut off. */
export function readCompoundFile(probe: FileProbe): CompoundFile | undefined {
  const header = probe.read(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES || !isCompoundFile(header)) return undefined;
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return undefined;
  const sectorBytes = 1 << shift;
  const sector = (index: number): Buffer => probe.read((index + 1) * sectorBytes, sectorBytes);
  const directory = readDirectory(header, sector, sectorBytes);
  const streams = directory === undefined ? undefined : rootStreams(directory);
  return streams === undefined ? undefined : { streams, firstBytes: ({ startSector }) => sector(startSector) };
}

type ReadSector = (index: number) => Buffer;

function readDirectory(header: Buffer, sector: ReadSector, sectorBytes: number): Buffer | undefined {
  const fatSectors = fatSectorNumbers(header, sector, sectorBytes);
  const perSector = sectorBytes / 4;
  const next = (index: number): number => {
    const fatSector = fatSectors[Math.floor(index / perSector)];
    const entries = fatSector === undefined ? undefined : sector(fatSector);
    const at = (index % perSector) * 4;
    return entries === undefined || at + 4 > entries.length ? LAST_SECTOR : entries.readUInt32LE(at);
  };
  const parts: Buffer[] = [];
  let bytes = 0;
  // A chain that loops ends at the cap.
  for (let index = header.readUInt32LE(48); index < LAST_SECTOR && bytes < MAX_DIRECTORY_BYTES; index = next(index)) {
    const part = sector(index);
    if (part.length === 0) break;
    parts.push(part);
    bytes += part.length;
  }
  return bytes < ENTRY_BYTES ? undefined : Buffer.concat(parts);
}

function fatSectorNumbers(header: Buffer, sector: ReadSector, sectorBytes: number): number[] {
  const numbers: number[] = [];
  const add = (bytes: Buffer): void => {
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      const number = bytes.readUInt32LE(at);
      if (number < LAST_SECTOR) numbers.push(number);
    }
  };
  add(header.subarray(76, HEADER_BYTES));
  let index = header.readUInt32LE(68);
  for (let count = 0; index < LAST_SECTOR && count < MAX_DIFAT_SECTORS; count += 1) {
    const part = sector(index);
    if (part.length < sectorBytes) break;
    add(part.subarray(0, -4));
    index = part.readUInt32LE(part.length - 4);
  }
  return numbers;
}

/** The root's children hang together as a tree of siblings. */
function rootStreams(directory: Buffer): CompoundStream[] {
  const streams: CompoundStream[] = [];
  const seen = new Set<number>();
  const open = [directory.readUInt32LE(76)];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const at = index * ENTRY_BYTES;
    if (index === NO_ENTRY || seen.has(index) || at + ENTRY_BYTES > directory.length) continue;
    seen.add(index);
    const nameBytes = Math.min(64, directory.readUInt16LE(at + 64));
    streams.push({
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      startSector: directory.readUInt32LE(at + 116),
      sizeBytes: directory.readUInt32LE(at + 120),
    });
    open.push(directory.readUInt32LE(at + 68), directory.readUInt32LE(at + 72));
  }
  return streams;
}
