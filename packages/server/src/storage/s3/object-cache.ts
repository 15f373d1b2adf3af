/**
 * Local copies of objects for readers that need a file. Concurrent readers share one download, and the least recently
 * used copies without a reader are deleted above the limit.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

export interface CachedFile {
  path: string;
  release: () => Promise<void>;
}

export interface CachedObject {
  /** Names the content: another content has another id. */
  id: string;
  bytes: number;
  /** Writes the object to the file. It runs once for concurrent readers, until the last of them has given up. */
  load: (file: string, signal: AbortSignal) => Promise<void>;
}

interface Copy {
  file: string;
  bytes: number;
  readers: number;
  isLoaded: boolean;
  loaded: Promise<void>;
  abort: AbortController;
}

export class ObjectCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** In order of last use. */
  readonly #copies = new Map<string, Copy>();
  #bytes = 0;

  private constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** `folder` belongs to this process. Files in use may exceed `maxBytes`. */
  static async open(folder: string, maxBytes: number): Promise<ObjectCache> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new ObjectCache(folder, maxBytes);
  }

  /** Size of all copies in bytes, with those that are being downloaded. */
  get totalBytes(): number {
    return this.#bytes;
  }

  async checkout(object: CachedObject, signal?: AbortSignal): Promise<CachedFile> {
    signal?.throwIfAborted();
    const copy = this.#copies.get(object.id) ?? this.#start(object);
    this.#copies.delete(object.id);
    this.#copies.set(object.id, copy);
    copy.readers += 1;
    await this.#evict();
    try {
      await unlessAborted(copy.loaded, signal);
    } catch (error) {
      await this.#leave(object.id, copy);
      throw error;
    }
    let isReleased = false;
    const release = async (): Promise<void> => {
      if (isReleased) return;
      isReleased = true;
      await this.#leave(object.id, copy);
    };
    return { path: copy.file, release };
  }

  async close(): Promise<void> {
    for (const { abort } of this.#copies.values()) abort.abort();
    await Promise.allSettled([...this.#copies.values()].map(({ loaded }) => loaded));
    this.#copies.clear();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #start({ id, bytes, load }: CachedObject): Copy {
    const abort = new AbortController();
    const file = path.join(this.#folder, randomUUID());
    const copy: Copy = { file, bytes, readers: 0, isLoaded: false, loaded: Promise.resolve(), abort };
    copy.loaded = load(file, abort.signal).then(
      async () => {
        copy.isLoaded = true;
        if (this.#copies.get(id) !== copy) await rm(file, { force: true });
      },
      async (error: unknown) => {
        this.#forget(id, copy);
        await rm(file, { force: true });
        throw error;
      },
    );
    // Its readers get the failure. A download without readers was aborted.
    copy.loaded.catch(() => undefined);
    this.#bytes += bytes;
    return copy;
  }

  async #leave(id: string, copy: Copy): Promise<void> {
    copy.readers -= 1;
    if (copy.readers > 0) return;
    if (!copy.isLoaded) {
      this.#forget(id, copy);
      copy.abort.abort();
    }
    await this.#evict();
  }

  #forget(id: string, copy: Copy): void {
    if (this.#copies.get(id) !== copy) return;
    this.#copies.delete(id);
    this.#bytes -= copy.bytes;
  }

  async #evict(): Promise<void> {
    const removed: Promise<void>[] = [];
    for (const [id, copy] of this.#copies) {
      if (this.#bytes <= this.#maxBytes) break;
      if (copy.readers > 0) continue;
      this.#forget(id, copy);
      removed.push(rm(copy.file, { force: true }));
    }
    await Promise.all(removed);
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
