/**
 * Reads compound files (CFB: Word, Excel and PowerPoint up to 2003, encrypted newer ones, messages, installers), which
 * are small file systems. Only the requested sectors are read, so the upload check and the readers share this code.
 * From a damaged file it returns what can be reached; chains that loop or leave the file end there. Format: [MS-CFB]
 * 2.2 to 2.6.
 */
export interface ByteSource {
  sizeBytes: number;
  /** Returns fewer bytes at the end of the file and none after it. */
  read: (position: number, length: number) => Buffer;
}

interface CompoundEntry {
  name: string;
  /** False for a storage, which holds other entries. */
  isStream: boolean;
  /** Depth of the entry, 1 at the root; Infinity for entries outside any storage, in damaged files. */
  depth: number;
  /** Name of the storage that contains the entry; empty at the root. */
  storage: string;
  startSector: number;
  sizeBytes: number;
}

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const MINI_SECTOR_BYTES = 64;
/** Sector numbers from this one on are markers: end of chain, free, part of the allocation table. */
const LAST_SECTOR = 0xfffffffa;
const NO_ENTRY = 0xffffffff;
const STORAGE = 1;
const STREAM = 2;
/** Maximum size of the directory in bytes: 65,000 entries. Documents with many embedded objects have a few hundred. */
const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024;
const MAX_DIFAT_SECTORS = 1024;

export const isCompoundFile = (start: Buffer): boolean => start.subarray(0, 8).equals(SIGNATURE);

export const bytesSource = (bytes: Buffer): ByteSource => ({
  sizeBytes: bytes.length,
  read: (position, length) => bytes.subarray(Math.max(0, position), Math.max(0, position + length)),
});

export class CompoundFile {
  readonly entries: readonly CompoundEntry[];
  readonly #source: ByteSource;
  readonly #sectorBytes: number;
  readonly #tableSectors: readonly number[];
  readonly #cutoff: number;
  readonly #miniTableStart: number;
  readonly #miniStart: number;
  #miniStream: Buffer | undefined;
  #miniTable: Buffer | undefined;

  /** Returns undefined if the header or the directory cannot be read. */
  static open(source: ByteSource): CompoundFile | undefined {
    const header = source.read(0, HEADER_BYTES);
    if (header.length < HEADER_BYTES || !isCompoundFile(header)) return undefined;
    if (![9, 12].includes(header.readUInt16LE(30))) return undefined;
    const file = new CompoundFile(source, header);
    return file.entries.length === 0 ? undefined : file;
  }

  private constructor(source: ByteSource, header: Buffer) {
    this.#source = source;
    this.#sectorBytes = 1 << header.readUInt16LE(30);
    this.#cutoff = header.readUInt32LE(56);
    this.#miniTableStart = header.readUInt32LE(60);
    this.#tableSectors = this.#readTableSectors(header);
    const directory = this.#chain(header.readUInt32LE(48), MAX_DIRECTORY_BYTES);
    this.#miniStart = directory.length < ENTRY_BYTES ? NO_ENTRY : directory.readUInt32LE(116);
    this.entries = directory.length < ENTRY_BYTES ? [] : readEntries(directory);
  }

  /** Returns the bytes of the stream with this name, in any case; of several, the one nearest to the root. */
  stream(name: string): Buffer | undefined {
    const wanted = name.toLowerCase();
    const named = this.entries.filter((entry) => entry.isStream && entry.name.toLowerCase() === wanted);
    const [nearest] = named.toSorted((a, b) => a.depth - b.depth);
    return nearest === undefined ? undefined : this.bytes(nearest);
  }

  /** Returns the bytes of a stream directly inside a storage. */
  streamIn(storage: string, name: string): Buffer | undefined {
    const found = this.entries.find((entry) => entry.isStream && entry.storage === storage && entry.name === name);
    return found && this.bytes(found);
  }

  /** Returns at most `maxBytes` from the start of a stream; fewer if its chain is damaged. */
  bytes({ startSector, sizeBytes }: CompoundEntry, maxBytes = sizeBytes): Buffer {
    const length = Math.min(sizeBytes, maxBytes, this.#source.sizeBytes);
    return sizeBytes < this.#cutoff ? this.#miniChain(startSector, length) : this.#chain(startSector, length);
  }

  #sector(index: number): Buffer {
    return this.#source.read((index + 1) * this.#sectorBytes, this.#sectorBytes);
  }

  #chain(start: number, maxBytes: number): Buffer {
    const parts: Buffer[] = [];
    let left = Math.min(maxBytes, this.#source.sizeBytes);
    for (let index = start; index < LAST_SECTOR && left > 0; index = this.#next(index)) {
      const part = this.#sector(index).subarray(0, left);
      if (part.length === 0) break;
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  #next(index: number): number {
    const perSector = this.#sectorBytes / 4;
    const tableSector = this.#tableSectors[Math.floor(index / perSector)];
    if (tableSector === undefined) return NO_ENTRY;
    return numberAt(this.#source.read((tableSector + 1) * this.#sectorBytes + (index % perSector) * 4, 4), 0);
  }

  /** Reads a small stream, which is stored in sectors of 64 bytes inside a shared stream with its own table. */
  #miniChain(start: number, length: number): Buffer {
    this.#miniTable ??= this.#chain(this.#miniTableStart, this.#source.sizeBytes);
    this.#miniStream ??= this.#chain(this.#miniStart, this.#source.sizeBytes);
    const parts: Buffer[] = [];
    let left = length;
    for (let index = start; index < LAST_SECTOR && left > 0; index = numberAt(this.#miniTable, index * 4)) {
      const at = index * MINI_SECTOR_BYTES;
      const part = this.#miniStream.subarray(at, at + Math.min(MINI_SECTOR_BYTES, left));
      if (part.length === 0) break;
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** Returns the sectors of the allocation table: 109 are listed in the header, the others in a chain. */
  #readTableSectors(header: Buffer): number[] {
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
      const part = this.#sector(index);
      if (part.length < this.#sectorBytes) break;
      add(part.subarray(0, -4));
      index = part.readUInt32LE(part.length - 4);
    }
    return numbers;
  }
}

const numberAt = (bytes: Buffer, at: number): number => (at + 4 <= bytes.length ? bytes.readUInt32LE(at) : NO_ENTRY);

/** Returns all entries but the root. The entries of a storage form a tree of siblings. */
function readEntries(directory: Buffer): CompoundEntry[] {
  const places = new Map<number, { depth: number; storage: string }>();
  const open = [{ index: directory.readUInt32LE(76), depth: 1, storage: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { index, depth, storage } = next;
    const at = index * ENTRY_BYTES;
    if (index === NO_ENTRY || places.has(index) || at + ENTRY_BYTES > directory.length) continue;
    places.set(index, { depth, storage });
    for (const link of [68, 72]) open.push({ index: directory.readUInt32LE(at + link), depth, storage });
    if (directory[at + 66] !== STORAGE) continue;
    open.push({ index: directory.readUInt32LE(at + 76), depth: depth + 1, storage: nameAt(directory, at) });
  }
  const entries: CompoundEntry[] = [];
  for (let index = 1; (index + 1) * ENTRY_BYTES <= directory.length; index += 1) {
    const at = index * ENTRY_BYTES;
    const type = directory[at + 66];
    if (type !== STORAGE && type !== STREAM) continue;
    entries.push({
      name: nameAt(directory, at),
      isStream: type === STREAM,
      depth: Infinity,
      storage: '',
      ...places.get(index),
      startSector: directory.readUInt32LE(at + 116),
      sizeBytes: directory.readUInt32LE(at + 120),
    });
  }
  return entries;
}

function nameAt(directory: Buffer, at: number): string {
  const nameBytes = Math.min(64, directory.readUInt16LE(at + 64));
  return directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2));
}
