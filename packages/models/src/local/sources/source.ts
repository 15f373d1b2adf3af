/** What the ladder's sources share: how a file arrives, is counted and checked. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PinnedFile } from '../catalogue.ts';

/** Bytes that have arrived of a file, or of a package whose size is not known beforehand (null). */
export interface Progress {
  file: string;
  receivedBytes: number;
  totalBytes: number | null;
}

export interface SourceOptions {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** A source did not give what it should: unreachable, other content than pinned. The ladder goes on to the next. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** The source was reached; asking it for something else may do better. */
  readonly answered: boolean;

  constructor(message: string, { answered = false } = {}) {
    super(message);
    this.answered = answered;
  }
}

/** Writes a stream to a file under the pinned name; what is longer or has another SHA-256 is refused and removed. */
export async function storePinned(
  bytes: AsyncIterable<Uint8Array>,
  file: PinnedFile,
  folder: string,
  options: SourceOptions,
): Promise<void> {
  const partial = path.join(folder, `${file.name}.partial`);
  const hash = createHash('sha256');
  let receivedBytes = 0;
  await mkdir(folder, { recursive: true });
  const target = createWriteStream(partial);
  try {
    await pipeline(
      bytes,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          receivedBytes += chunk.length;
          if (receivedBytes > file.sizeBytes) throw new SourceError(`${file.path} is longer than it should be`);
          hash.update(chunk);
          options.onProgress({ file: file.name, receivedBytes, totalBytes: file.sizeBytes });
          yield chunk;
        }
      },
      target,
      { signal: options.signal },
    );
    if (hash.digest('hex') !== file.sha256) throw new SourceError(`${file.path} is not the file that is pinned`);
    await rename(partial, path.join(folder, file.name));
  } catch (error) {
    // A pipeline that fails at once may leave the file still being opened, and so made after its removal.
    if (!target.closed) await new Promise<void>((resolve) => target.once('close', () => resolve()));
    await rm(partial, { force: true });
    throw error;
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
