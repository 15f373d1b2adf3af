/** Stores a downloaded file: counts its bytes and checks its hash. Shared by the hub and the package registries. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PinnedFile } from '../catalogue.ts';

/** Bytes received of a file; `totalBytes` is null for a package of unknown size. */
export interface Progress {
  file: string;
  receivedBytes: number;
  totalBytes: number | null;
}

export interface SourceOptions {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** A source is unreachable or its content differs from the pinned one. The resolver continues with the next source. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** True if the source answered; it may have other files. */
  readonly answered: boolean;

  constructor(message: string, { answered = false } = {}) {
    super(message);
    this.answered = answered;
  }
}

/** Writes a stream to a file of the pinned name. Refuses and removes content of another length or SHA-256. */
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
          if (receivedBytes > file.sizeBytes) throw new SourceError(`${file.path} is longer than the pinned file`);
          hash.update(chunk);
          options.onProgress({ file: file.name, receivedBytes, totalBytes: file.sizeBytes });
          yield chunk;
        }
      },
      target,
      { signal: options.signal },
    );
    if (hash.digest('hex') !== file.sha256) throw new SourceError(`${file.path} differs from the pinned file`);
    await rename(partial, path.join(folder, file.name));
  } catch (error) {
    // A pipeline that fails immediately may leave the file still opening, and so created after its removal.
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
