/**
 * The directory of a zip file with all that a copy of it needs (times, attributes, extra fields), read through yauzl from
 * an open file descriptor.
 */
import { Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { readAt } from '@quire/parse/archive/zip-directory';

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
