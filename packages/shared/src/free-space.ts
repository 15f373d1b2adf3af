/** Free space of the file systems that the service writes to. */
import { statfs } from 'node:fs/promises';

/** Codes of a full disk or quota: of the file system, and `disk_full` of PostgreSQL. */
const CODES = /^(ENOSPC|EDQUOT|53100)$/;

/** Thrown before a write that would leave less free space than the configured floor. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
  readonly code = 'ENOSPC';
}

/** Whether a write failed, or was not begun, because there is no space left. */
export function isStorageFull(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && CODES.test(code);
}

/** Returns the space, in bytes, that this process may still use on the folder's file system. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Time for which a measured free space holds, in ms. */
const MEASURE_MS = 100;
const measured = new Map<string, { at: number; bytes: Promise<number> }>();

/** Returns the free space of one of the service's folders, measured a tenth of a second ago at most, in bytes. */
function recentFreeBytes(folder: string): Promise<number> {
  const known = measured.get(folder);
  if (known !== undefined && performance.now() - known.at < MEASURE_MS) return known.bytes;
  const bytes = freeBytes(folder);
  measured.set(folder, { at: performance.now(), bytes });
  bytes.catch(() => measured.delete(folder));
  return bytes;
}

/**
 * Returns the smallest free space of the folders, in bytes. Throws `StorageFull` if it would be below `floorBytes`
 * after a write of this size.
 */
export async function requireFreeSpace(
  folders: readonly string[],
  floorBytes: number,
  writtenBytes = 0,
): Promise<number> {
  const free = Math.min(...(await Promise.all(folders.map(recentFreeBytes))));
  const needed = floorBytes + writtenBytes;
  if (free < needed) throw new StorageFull(`${megabytes(free)} free, at least ${megabytes(needed)} needed`);
  return free;
}

/** Runs a write that only saves work later; nothing is written if there is no space left. */
export async function unlessFull(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isStorageFull(error)) throw error;
  }
}

export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;
