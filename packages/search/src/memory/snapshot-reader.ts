/** Reads a snapshot file piece by piece, so that it may be larger than a buffer and other requests run meanwhile. */
import { createHash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import {
  DIGEST,
  DIGEST_BYTES,
  headText,
  isMissing,
  LENGTH_BYTES,
  SLICE_BYTES,
  type Numbers,
  type SnapshotHead,
} from './snapshot-file.ts';

/** A file that ends early, or whose parts have impossible lengths. */
export class DamagedSnapshot extends RangeError {}

/** Reads the parts in the order they were written. Its methods reject with `RangeError` past the end. */
export class SnapshotReader {
  readonly #handle: FileHandle;
  readonly #isWanted: () => boolean;
  readonly #hash = createHash(DIGEST);
  readonly #buffer = new Uint8Array(SLICE_BYTES);
  /** The bytes of the buffer that were not taken yet. */
  #from = 0;
  #to = 0;
  /** Number of bytes before the checksum that were not read from the file yet. */
  #unread: number;

  /** @param isWanted checked after each pause: reading rejects once it returns false. */
  constructor(handle: FileHandle, bytes: number, isWanted: () => boolean) {
    this.#handle = handle;
    this.#unread = Math.max(0, bytes - DIGEST_BYTES);
    this.#isWanted = isWanted;
  }

  async number(): Promise<number> {
    return (await this.numbers(Float64Array))[0] ?? 0;
  }

  /** Returns the next part. */
  async numbers<Array extends Numbers>(Class: { new (buffer: ArrayBuffer): Array }): Promise<Array> {
    const bytes = new Uint8Array(await this.#partLength());
    await this.#take(bytes.length, (piece, at) => bytes.set(piece, at));
    return new Class(bytes.buffer);
  }

  /** Passes the next part, which must have this length, to `take` in pieces that are valid during the call only. */
  async pieces(length: number, take: (piece: Uint8Array, at: number) => void): Promise<void> {
    if ((await this.#partLength()) !== length) throw new DamagedSnapshot('A part of the snapshot has another length');
    await this.#take(length, take);
  }

  /** Rejects with `RangeError` if fewer than this number of parts of this length are left. */
  expectParts(count: number, length: number): void {
    if (!(count >= 0 && count * length <= this.#left)) throw new DamagedSnapshot('The snapshot ends too early');
  }

  /** Lets other requests run. */
  async pause(): Promise<void> {
    await setImmediate();
    this.#checkWanted();
  }

  /** Reads the rest of the file and returns whether its checksum is right. */
  async verify(): Promise<boolean> {
    while (this.#unread > 0) await this.#fill();
    const digest = new Uint8Array(DIGEST_BYTES);
    const { bytesRead } = await this.#handle.read(digest, 0, DIGEST_BYTES);
    return bytesRead === DIGEST_BYTES && this.#hash.digest().equals(digest);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  get #left(): number {
    return this.#unread + this.#to - this.#from;
  }

  async #partLength(): Promise<number> {
    const bytes = new Uint8Array(LENGTH_BYTES);
    await this.#take(LENGTH_BYTES, (piece, at) => bytes.set(piece, at));
    const length = new DataView(bytes.buffer).getFloat64(0);
    if (!(Number.isInteger(length) && length >= 0 && length <= this.#left)) {
      throw new DamagedSnapshot('The snapshot ends too early');
    }
    return length;
  }

  async #take(length: number, take: (piece: Uint8Array, at: number) => void): Promise<void> {
    for (let at = 0; at < length;) {
      if (this.#from === this.#to) await this.#fill();
      const piece = this.#buffer.subarray(this.#from, Math.min(this.#to, this.#from + length - at));
      take(piece, at);
      at += piece.length;
      this.#from += piece.length;
    }
  }

  async #fill(): Promise<void> {
    const { bytesRead } = await this.#handle.read(this.#buffer, 0, Math.min(SLICE_BYTES, this.#unread));
    if (bytesRead === 0) throw new DamagedSnapshot('The snapshot ends too early');
    this.#checkWanted();
    this.#hash.update(this.#buffer.subarray(0, bytesRead));
    this.#unread -= bytesRead;
    [this.#from, this.#to] = [0, bytesRead];
  }

  #checkWanted(): void {
    if (!this.#isWanted()) throw new Error('The table of the snapshot was released');
  }
}

/** A snapshot whose head was read. Its parts count only once `verify` has returned true. */
export interface OpenSnapshot {
  head: SnapshotHead;
  reader: SnapshotReader;
}

/** Returns undefined when there is no snapshot of this table and format. Deletes a file whose head is damaged. */
export async function openSnapshot(
  file: string,
  wanted: Pick<SnapshotHead, 'table' | 'identity' | 'dimensions'>,
  isWanted: () => boolean = () => true,
): Promise<OpenSnapshot | undefined> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  if (handle === undefined) return undefined;
  let opened: OpenSnapshot | undefined;
  try {
    const reader = new SnapshotReader(handle, (await handle.stat()).size, isWanted);
    const read = await readHead(reader);
    if (read === undefined) await rm(file, { force: true });
    else if (read.text === headText({ ...wanted, position: read.position })) {
      opened = { head: { ...wanted, position: read.position }, reader };
    }
    return opened;
  } finally {
    if (opened === undefined) await handle.close();
  }
}

/** Returns undefined when the head is damaged. */
async function readHead(reader: SnapshotReader): Promise<{ text: string; position: string } | undefined> {
  try {
    const text = Buffer.from(await reader.numbers(Uint8Array)).toString();
    return { text, position: (JSON.parse(text) as { position: string }).position };
  } catch (error) {
    if (error instanceof DamagedSnapshot || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
