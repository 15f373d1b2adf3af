/**
 * The snapshot file of a table's copy, which spares a restarted process from loading all rows again: the contents of
 * the typed arrays one after another, followed by a checksum. A file is valid only on the machine that wrote it and for
 * the same format version.
 */
import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { endianness } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { errorCode } from '@quire/shared/error-code';

/** Format version: raise it with every change of the parts of a copy or of their layout. */
const FORMAT = 3;
const DIGEST = 'sha1';
const DIGEST_BYTES = 20;
/** Suffix of a file that is being written. */
export const UNFINISHED = '.new';
/** Number of bytes hashed or written before yielding to the event loop, which takes a few ms. */
const SLICE_BYTES = 2 ** 22;
/** Size of the header of each part, its length as a double. */
const LENGTH_BYTES = 8;

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array | BigInt64Array;

/** Identifies the copied table and the state that the copy corresponds to. */
export interface SnapshotHead {
  table: string;
  /** `SourceTable.identity`. */
  identity: string;
  dimensions: number | null;
  /** Position of the records all of whose rows are in the copy. */
  position: string;
}

/** Collects the parts of a copy; later changes of the copy do not affect them. */
export class SnapshotWriter {
  readonly parts: Uint8Array[] = [];

  number(value: number): void {
    this.numbers(Float64Array.of(value));
  }

  numbers(values: Numbers, length = values.length): void {
    const bytes = length * values.BYTES_PER_ELEMENT;
    const part = new Uint8Array(LENGTH_BYTES + bytes);
    new DataView(part.buffer).setFloat64(0, bytes);
    part.set(new Uint8Array(values.buffer, values.byteOffset, bytes), LENGTH_BYTES);
    this.parts.push(part);
  }
}

/** Reads the parts in the order they were written; throws `RangeError` past the end. */
export class SnapshotReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // A plain array, since the `slice` of a Buffer does not copy.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  number(): number {
    return this.numbers(Float64Array)[0] ?? 0;
  }

  /** Returns a copy of the next part. */
  numbers<Array extends Numbers>(Class: { new (buffer: ArrayBuffer): Array }): Array {
    const { buffer, byteOffset } = this.#bytes;
    const start = this.#at + LENGTH_BYTES;
    if (start > this.#bytes.length) throw new RangeError('The snapshot ends too early');
    this.#at = start + new DataView(buffer, byteOffset + this.#at).getFloat64(0);
    if (this.#at > this.#bytes.length) throw new RangeError('The snapshot ends too early');
    return new Class(this.#bytes.slice(start, this.#at).buffer);
  }
}

/**
 * Writes a snapshot atomically: to a temporary file of a unique name (another process may write the same snapshot),
 * then renames it. If the temporary file is removed meanwhile (its contents were purged), no snapshot is written.
 */
export async function writeSnapshot(file: string, head: SnapshotHead, parts: readonly Uint8Array[]): Promise<void> {
  const started = `${file}.${randomUUID()}${UNFINISHED}`;
  const hash = createHash(DIGEST);
  const headWriter = new SnapshotWriter();
  headWriter.numbers(Buffer.from(headText(head)));
  const handle = await open(started, 'wx', 0o600);
  try {
    for (const part of [...headWriter.parts, ...parts]) {
      for (let start = 0; start < part.length; start += SLICE_BYTES) {
        const slice = part.subarray(start, start + SLICE_BYTES);
        hash.update(slice);
        await handle.writeFile(slice);
      }
    }
    await handle.writeFile(hash.digest());
    await rename(started, file);
  } catch (error) {
    if (!isMissing(error)) throw error;
  } finally {
    await handle.close();
    await rm(started, { force: true });
  }
}

/** Returns undefined when there is no snapshot of this table and format. Deletes a damaged file. */
export async function readSnapshot(
  file: string,
  wanted: Pick<SnapshotHead, 'table' | 'identity' | 'dimensions'>,
): Promise<{ head: SnapshotHead; reader: SnapshotReader } | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const body = bytes.subarray(0, -DIGEST_BYTES);
  const read = readHead(body);
  if (read !== undefined && headText({ ...wanted, position: read.position }) !== read.text) return undefined;
  const hash = createHash(DIGEST);
  for (let start = 0; start < body.length; start += SLICE_BYTES) {
    hash.update(body.subarray(start, start + SLICE_BYTES));
    await setImmediate();
  }
  if (bytes.length < DIGEST_BYTES || !hash.digest().equals(bytes.subarray(-DIGEST_BYTES))) {
    await rm(file, { force: true });
    return undefined;
  }
  return read && { head: { ...wanted, position: read.position }, reader: read.reader };
}

/** Returns undefined when the head is damaged. */
function readHead(body: Uint8Array): { text: string; position: string; reader: SnapshotReader } | undefined {
  try {
    const reader = new SnapshotReader(body);
    const text = Buffer.from(reader.numbers(Uint8Array)).toString();
    return { text, position: (JSON.parse(text) as { position: string }).position, reader };
  } catch {
    return undefined;
  }
}

const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';

function headText({ table, identity, dimensions, position }: SnapshotHead): string {
  const made = { format: FORMAT, endianness: endianness() };
  return JSON.stringify({ ...made, table, identity, dimensions, position });
}
