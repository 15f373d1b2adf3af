/** The identifier of a store of originals, which distinguishes two stores with the same address. */
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { ObjectStore } from './object-store.ts';

/** Beside the prefix of all records, so that no backup contains it. */
export const STORAGE_ID_KEY = 'installation/id';

export async function readStorageId(store: ObjectStore): Promise<string | null> {
  const stored = await store.get(STORAGE_ID_KEY);
  return stored === undefined ? null : (await text(stored)).trim();
}

/** Returns the identifier of the store; gives it one if it has none. Call it for one process at a time. */
export async function ensureStorageId(store: ObjectStore): Promise<string> {
  const known = await readStorageId(store);
  if (known !== null) return known;
  const id = randomUUID();
  await store.put(STORAGE_ID_KEY, Buffer.from(id));
  return id;
}
