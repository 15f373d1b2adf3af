import type { Readable } from 'node:stream';

/** A stored or rendered file that a client may download, whole or by range. */
export interface Artifact {
  name: string;
  contentType: string;
  sizeBytes: number;
  /** Entity tag; it changes whenever the bytes may change. */
  etag: string;
  /** `range` is `[start, end]`, both inclusive, in bytes. */
  open(range?: readonly [number, number]): Promise<Readable | Buffer>;
}

/** Returns an artifact over bytes in memory. */
export function inMemory(name: string, contentType: string, etag: string, bytes: Buffer): Artifact {
  return {
    name,
    contentType,
    sizeBytes: bytes.length,
    etag,
    open: (range) => Promise.resolve(range === undefined ? bytes : bytes.subarray(range[0], range[1] + 1)),
  };
}
