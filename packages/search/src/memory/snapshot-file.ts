/**
 * The snapshot file of a table's copy, which spares a restarted process from loading all rows again: the contents of
 * the typed arrays one after another, followed by a checksum. A file is valid only on the machine that wrote it and for
 * the same format version.
 */
import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { endianness } from 'node:os';
import { errorCode } from '@quire/shared/error-code';

/** Format version: raise it with every change of the parts of a copy or of their layout. */
const FORMAT = 3;
export const DIGEST = 'sha1';
export const DIGEST_BYTES = 20;
/** Suffix of a file that is being written. */
export const UNFINISHED = '.new';
/** Number of bytes hashed, written or read before yielding to the event loop, which takes a few ms. */
export const SLICE_BYTES = 2 ** 22;
/** Size of the header of each part, its length as a double. */
export const LENGTH_BYTES = 8;

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array | BigInt64Array;

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

export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';

export function headText({ table, identity, dimensions, position }: SnapshotHead): string {
  const made = { format: FORMAT, endianness: endianness() };
  return JSON.stringify({ ...made, table, identity, dimensions, position });
}
