/**
 * The directory of a zip file, read through yauzl from an open file descriptor. Reads are synchronous: the directory of
 * a typical office file has 20 entries, and asynchronous reads of 46 bytes each would cost more than parsing the file.
 */
import { fstatSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { ContentError } from '../../../../errors.ts';

/** Where a member's compressed bytes lie. */
export interface ZipMember {
  name: string;
  headerOffset: number;
  compressedBytes: number;
  /** As declared in the directory; the real size may differ. */
  declaredBytes: number;
  /** 0 stored, 8 deflated. */
  method: number;
  encrypted: boolean;
}

/** Reads `length` bytes at `position`; fewer at the end of the file. */
export function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, buffer, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

class DescriptorReader extends RandomAccessReader {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from([readAt(this.#descriptor, start, end - start)]);
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const bytes = readAt(this.#descriptor, position, length);
    bytes.copy(buffer, offset);
    // Only the archive's comment may lie past the end of the file.
    buffer.fill(0, offset + bytes.length, offset + length);
    // Not called directly: yauzl would recurse once for each entry.
    queueMicrotask(() => callback(bytes.length > 0 ? null : new Error('unexpected end of file')));
  }
}

/**
 * Some writers leave a few bytes after the zip's end record, or end the file before its comment; every office program
 * opens such files, so the size is set right and the directory read once more.
 */
export async function openZip(descriptor: number, size: number): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false };
  try {
    // Names are decoded here: yauzl gives up the whole archive for one odd name.
    return await fromRandomAccessReaderPromise(new DescriptorReader(descriptor), size, options);
  } catch (error) {
    const lengths =
      error instanceof Error ? /comment length\. Expected: (\d+)\. Found: (\d+)/.exec(error.message) : null;
    if (!lengths) throw error;
    // What yauzl expects is what follows the record, what it finds is what the record says.
    const wholeSize = size - Number(lengths[1]) + Number(lengths[2]);
    return fromRandomAccessReaderPromise(new DescriptorReader(descriptor), wholeSize, options);
  }
}

/** Every member by lower-case path with forward slashes; the first of two with one name counts. */
export async function readZipDirectory(descriptor: number, maxEntries: number): Promise<Map<string, ZipMember>> {
  const members = new Map<string, ZipMember>();
  try {
    const zip = await openZip(descriptor, fstatSync(descriptor).size);
    if (zip.entryCount > maxEntries) {
      throw new ContentError('too_large', `The file holds ${zip.entryCount} parts; at most ${maxEntries} are allowed`);
    }
    await new Promise<void>((resolve, reject) => {
      zip.on('error', reject);
      zip.on('end', resolve);
      zip.on('entry', (entry: Entry) => {
        addMember(members, entry);
        zip.readEntry();
      });
      zip.readEntry();
    });
  } catch (error) {
    if (error instanceof ContentError) throw error;
    throw new ContentError('corrupt', 'The file is damaged: its zip directory cannot be read', { cause: error });
  }
  return members;
}

function addMember(members: Map<string, ZipMember>, entry: Entry): void {
  const name = entry.fileNameRaw.toString('utf8').replaceAll('\\', '/').replace(/^\/+/, '');
  const key = name.toLowerCase();
  if (members.has(key)) return;
  members.set(key, {
    name,
    headerOffset: entry.relativeOffsetOfLocalHeader,
    compressedBytes: entry.compressedSize,
    declaredBytes: entry.uncompressedSize,
    method: entry.compressionMethod,
    encrypted: (entry.generalPurposeBitFlag & 1) === 1,
  });
}
