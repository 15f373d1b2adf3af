/**
 * The bytes of one object. A connection that ends early or stalls is replaced by a request for the rest, and a whole
 * object is compared with the checksum that the service has stored.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { isInterruption, ObjectCorrupted } from './s3-errors.ts';

export interface ReceivedObject {
  body: AsyncIterable<Uint8Array>;
  etag: string;
  /** Length of the body in bytes. */
  bytes: number;
  /** Base64 of the CRC-32 of the whole object; null if the service stores none. */
  crc32: string | null;
}

export interface DownloadOptions {
  /** Requests the bytes from `offset` on, relative to the first request; fails if the object was replaced. */
  resume: (offset: number, etag: string) => Promise<ReceivedObject>;
  /** Whether the first request was for the whole object. */
  isWhole: boolean;
  signal?: AbortSignal | undefined;
}

/** Consecutive interruptions without a byte in between, after which the download fails. */
const MAX_INTERRUPTIONS = 4;
const FIRST_PAUSE_MS = 50;

export async function* download(first: ReceivedObject, options: DownloadOptions): AsyncGenerator<Uint8Array> {
  const { signal } = options;
  let current = first;
  let received = 0;
  let checksum = 0;
  let interruptions = 0;
  while (received < first.bytes) {
    try {
      for await (const chunk of current.body) {
        signal?.throwIfAborted();
        received += chunk.length;
        checksum = crc32(chunk, checksum);
        interruptions = 0;
        yield chunk;
      }
      if (received < first.bytes) throw new Error(`the connection ended after ${received} of ${first.bytes} bytes`);
    } catch (error) {
      signal?.throwIfAborted();
      interruptions += 1;
      if (!isInterruption(error) || interruptions > MAX_INTERRUPTIONS) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** interruptions, undefined, { signal });
      if (received < first.bytes) current = await options.resume(received, first.etag);
    }
  }
  if (!options.isWhole || first.crc32 === null) return;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(checksum);
  const found = bytes.toString('base64');
  if (found !== first.crc32)
    throw new ObjectCorrupted(`an object with the checksum ${first.crc32} arrived as ${found}`);
}
