/** Files that are synced before a write resolves, and look-ups of files that may be absent. */
import { closeSync, constants, fstatSync, fsync, open as openCallback, write, type Dirent } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { errorCode } from '@quire/shared/error-code';
import type { ObjectStat } from './object-store.ts';

/**
 * Uses plain descriptors, because calls on a `FileHandle` and its close take much more time of the main thread.
 */
const openFile = promisify(openCallback);
const writeFile = promisify(write);
const syncFile = promisify(fsync);

/** Syncs a file or a folder and returns its size. It is closed in this thread, as closing after a sync is cheap. */
export async function sync(target: string): Promise<ObjectStat> {
  const fd = await openFile(target, constants.O_RDONLY);
  try {
    await syncFile(fd);
    return { sizeBytes: fstatSync(fd).size };
  } finally {
    closeSync(fd);
  }
}

export async function syncIfPresent(folder: string): Promise<void> {
  await sync(folder).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}

export async function writeBuffer(target: string, bytes: Buffer): Promise<ObjectStat> {
  const fd = await openFile(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  try {
    for (let written = 0; written < bytes.length;) {
      written += (await writeFile(fd, bytes, written)).bytesWritten;
    }
    await syncFile(fd);
  } finally {
    closeSync(fd);
  }
  return { sizeBytes: bytes.length };
}

export async function writeStream(
  target: string,
  source: Readable,
  signal: AbortSignal | undefined,
): Promise<ObjectStat> {
  const handle = await open(target, 'wx');
  // `flush`: the file is synced before it is closed.
  const sink = handle.createWriteStream({ flush: true });
  await pipeline(source, sink, { signal });
  return { sizeBytes: sink.bytesWritten };
}

export function isAbsent(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export async function statFile(file: string): Promise<ObjectStat | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() ? { sizeBytes: found.size } : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export function ignoreAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

export async function entriesOf(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(ignoreAbsent)) ?? [];
}
