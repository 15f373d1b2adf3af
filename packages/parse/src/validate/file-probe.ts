/** A file as the checks see it: its size, its first and last bytes, and more on demand. Never the whole of it. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { readAt } from '../archive/zip-directory.ts';

/** Enough for a page of text, all magic numbers and every image header but an unusual JPEG's. */
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

  /** Fewer bytes than asked for at the end of the file, none after it. */
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
