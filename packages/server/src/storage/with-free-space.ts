/** An object store that writes only while the disk has more free space than the floor. */
import type { ObjectStore } from './object-store.ts';

/**
 * `requireRoom` throws if a write of this size would not leave enough free space. A local copy for `checkout` counts
 * as a write where the objects are not on this disk.
 */
export function withFreeSpace(
  store: ObjectStore,
  requireRoom: (bytes: number) => Promise<unknown>,
  isRemote: boolean,
): ObjectStore {
  const requireLocal = async (bytes: number): Promise<void> => {
    if (!isRemote) await requireRoom(bytes);
  };
  return {
    put: async (key, body, signal) => {
      await requireLocal(Buffer.isBuffer(body) ? body.length : 0);
      return store.put(key, body, signal);
    },
    // The file is on the disk already, and is moved.
    putFile: async (key, file, signal) => {
      await requireLocal(0);
      return store.putFile(key, file, signal);
    },
    checkout: async (key, signal) => {
      if (isRemote) await requireRoom(0);
      return store.checkout(key, signal);
    },
    get: (key, range, signal) => store.get(key, range, signal),
    stat: (key) => store.stat(key),
    list: (prefix, signal) => store.list(prefix, signal),
    delete: (key) => store.delete(key),
    deletePrefix: (prefix) => store.deletePrefix(prefix),
    close: () => store.close(),
  };
}
