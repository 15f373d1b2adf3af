import type { Readable } from 'node:stream';

/** A stored or rendered file that a client may download, whole or by range. */
export interface Artifact {
  name: string;
  contentType: string;
  sizeBytes: number;
  /** Changes whenever the bytes may. */
  etag: string;
  /** `range` is `[start, end]`, both inclusive, in bytes. */
  open(range?: readonly [number, number]): Promise<Readable | Buffer>;
}

/** Of bytes that are at hand. */
export function inMemory(name: string, contentType: string, etag: string, bytes: Buffer): Artifact {
  return {
    name,
    contentType,
    sizeBytes: bytes.length,
    etag,
    open: (range) => Promise.resolve(range === undefined ? bytes : bytes.subarray(range[0], range[1] + 1)),
  };
}
