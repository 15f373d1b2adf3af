/**
 * An object store that deletes the pages drawn from a file together with the file. The pictures have a prefix of their
 * own, so that their total size can be limited and backups leave them out.
 */
import type { ObjectStore } from './object-store.ts';

/** Prefix of all page pictures; the prefix of the file that a picture was drawn from follows. */
export const PAGE_PICTURES = 'page-pictures/';

/** Returns the prefix of the pictures of everything that is stored under `prefix`. */
export const picturesOf = (prefix: string): string => `${PAGE_PICTURES}${prefix}`;

/** Returns the store with a `deletePrefix` that also deletes the page pictures of what it deletes. */
export function withPagePictures(store: ObjectStore): ObjectStore {
  return {
    put: (key, body, signal) => store.put(key, body, signal),
    putFile: (key, path, signal) => store.putFile(key, path, signal),
    get: (key, range, signal) => store.get(key, range, signal),
    stat: (key) => store.stat(key),
    checkout: (key, signal) => store.checkout(key, signal),
    list: (prefix, signal) => store.list(prefix, signal),
    delete: (key) => store.delete(key),
    deletePrefix: async (prefix) => {
      await store.deletePrefix(prefix);
      await store.deletePrefix(picturesOf(prefix));
    },
    close: () => store.close(),
  };
}
