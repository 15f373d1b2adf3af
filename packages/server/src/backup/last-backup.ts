/** The time of the last complete backup, kept in the object store, which the command and all processes share. */
import { text } from 'node:stream/consumers';
import type { ObjectStore } from '../storage/object-store.ts';

/** Beside the prefix of all records, so that no backup contains it. */
const KEY = 'backups/last';

export async function recordBackup(store: ObjectStore, at: Date): Promise<void> {
  await store.put(KEY, Buffer.from(at.toISOString()));
}

/** Returns null if no backup was written since the installation or the last restore. */
export async function findLastBackup(store: ObjectStore): Promise<Date | null> {
  const stored = await store.get(KEY);
  if (stored === undefined) return null;
  const at = new Date(await text(stored));
  return Number.isNaN(at.getTime()) ? null : at;
}
