/**
 * Reads the directory of a zip file through yauzl from an open file descriptor, with everything that a copy of an entry
 * needs (times, attributes, extra fields).
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
    // Only the archive's comment may extend past the end of the file.
    buffer.fill(0, offset + bytes.length, offset + length);
    // Deferred, because yauzl would otherwise recurse once per entry.
    queueMicrotask(() => callback(bytes.length > 0 ? null : new Error('unexpected end of file')));
  }
}

/**
 * Opens the directory. Some writers leave a few bytes after the zip's end record or cut the file before its comment.
 * Office programs open such files, so this function corrects the size and reads the directory again.
 */
export async function openZip(descriptor: number, size: number): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false };
  try {
    // Names are decoded here, because yauzl rejects the whole archive for a single invalid name.
    return await fromRandomAccessReaderPromise(new DescriptorReader(descriptor), size, options);
  } catch (error) {
    const lengths =
      error instanceof Error ? /comment length\. Expected: (\d+)\. Found: (\d+)/.exec(error.message) : null;
    if (!lengths) throw error;
    // yauzl reports the length that follows the record as expected and the length that the record states as found.
    const wholeSize = size - Number(lengths[1]) + Number(lengths[2]);
    return fromRandomAccessReaderPromise(new DescriptorReader(descriptor), wholeSize, options);
  }
}
