/** Gives the upload checks access to a file's size, its first and last bytes, and further ranges on demand. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { readAt } from '../archive/zip-directory.ts';

/** Covers a page of text, all magic numbers and every image header except those of unusual JPEGs. */
const HEAD_BYTES = 64 * 1024;

export class FileProbe {
  readonly fd: number;
  readonly sizeBytes: number;
  readonly head: Buffer;

  constructor(path: string) {
    this.fd = openSync(path, 'r');
    this.sizeBytes = fstatSync(this.fd).size;
    this.head = readAt(this.fd, 0, Math.min(HEAD_BYTES, this.sizeBytes));
  }

  /** Returns fewer bytes than requested at the end of the file, and none beyond it. */
  read(position: number, length: number): Buffer {
    if (position < 0 || position >= this.sizeBytes) return Buffer.alloc(0);
    if (position + length <= this.head.length) return this.head.subarray(position, position + length);
    return readAt(this.fd, position, Math.min(length, this.sizeBytes - position));
  }

  tail(length: number): Buffer {
    const bytes = Math.min(length, this.sizeBytes);
    return this.read(this.sizeBytes - bytes, bytes);
  }

  close(): void {
    closeSync(this.fd);
  }
}

/** Returns whether the bytes begin with `start`, one byte per character. */
export const startsWith = (bytes: Buffer, start: string): boolean =>
  bytes.toString('latin1', 0, start.length) === start;
