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

/** Returns the smallest free space of the folders, in bytes. Throws `StorageFull` if it is below `floorBytes`. */
export async function requireFreeSpace(folders: readonly string[], floorBytes: number): Promise<number> {
  const free = Math.min(...(await Promise.all(folders.map(freeBytes))));
  if (free < floorBytes) throw new StorageFull(`${megabytes(free)} free, at least ${megabytes(floorBytes)} needed`);
  return free;
}

export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;
