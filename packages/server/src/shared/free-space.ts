/** Free space of the file systems that the service writes to. */
import { statfs } from 'node:fs/promises';

/** Thrown before a write that would leave less free space than the configured floor. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
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

/** Returns the smallest free space of the folders, in bytes. Throws `StorageFull` if it is below `floorBytes`. */
export async function requireFreeSpace(folders: readonly string[], floorBytes: number): Promise<number> {
  const free = Math.min(...(await Promise.all(folders.map(recentFreeBytes))));
  if (free < floorBytes) throw new StorageFull(`${megabytes(free)} free, at least ${megabytes(floorBytes)} needed`);
  return free;
}

export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;
