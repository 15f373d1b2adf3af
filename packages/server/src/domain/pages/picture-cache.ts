/**
 * Page pictures and renderings in the object store, limited in total size: the least recently used ones are deleted
 * first. The times of use are those of this process; the store keeps them for the next process and for others, to the
 * hour.
 */
import { buffer } from 'node:stream/consumers';
import { unlessFull } from '@quire/shared/free-space';
import { PAGE_PICTURES } from '../../storage/derived-pictures.ts';
import type { ObjectStat, ObjectStore } from '../../storage/object-store.ts';

export interface PictureCacheDeps {
  store: ObjectStore;
  /** Maximum total size of the pictures, in bytes; 0 stores none. */
  maxBytes: number;
  /** Time in ms since the epoch. */
  now: () => number;
}

interface Entry {
  sizeBytes: number;
  usedAtMs: number;
  /** Time of use that is stored. */
  storedAtMs: number;
}

/** Age of the stored time of use from which it is written again, in ms. */
const TOUCH_AFTER_MS = 3_600_000;
/** Age of the listing, in ms, from which pictures of other processes are counted again. */
const RELIST_AFTER_MS = 600_000;
/** Share of the limit that remains after pictures were deleted, so that not every new one deletes another. */
const KEPT_SHARE = 0.9;

export class PictureCache {
  readonly #deps: PictureCacheDeps;
  #entries = new Map<string, Entry>();
  #totalBytes = 0;
  #listedAtMs = Number.NEGATIVE_INFINITY;
  /** Makes changes of the entries sequential. */
  #changes: Promise<void> = Promise.resolve();

  constructor(deps: PictureCacheDeps) {
    this.#deps = deps;
  }

  /** Total size of the pictures known to this process. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  async get(key: string): Promise<Buffer | undefined> {
    const stream = await this.#deps.store.get(key);
    if (stream === undefined) return undefined;
    const bytes = await buffer(stream);
    await this.#use(key, bytes);
    return bytes;
  }

  /** Returns the size of an object that is about to be read from the store. */
  async stat(key: string): Promise<ObjectStat | undefined> {
    const stat = await this.#deps.store.stat(key);
    const entry = this.#entries.get(key);
    if (entry !== undefined && stat !== undefined) entry.usedAtMs = this.#deps.now();
    return stat;
  }

  /** Returns a local path of the object, for readers that need a file; see `ObjectStore`. */
  async checkout(key: string): ReturnType<ObjectStore['checkout']> {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.usedAtMs = this.#deps.now();
    return this.#deps.store.checkout(key);
  }

  /** Stores a picture, then deletes the least recently used ones if the limit is exceeded. */
  async put(key: string, bytes: Buffer): Promise<void> {
    if (bytes.length > this.#deps.maxBytes) return;
    await this.#deps.store.put(key, bytes);
    const now = this.#deps.now();
    await this.#change(async () => {
      if (now - this.#listedAtMs > RELIST_AFTER_MS) await this.#list();
      this.#set(key, { sizeBytes: bytes.length, usedAtMs: now, storedAtMs: now });
      if (this.#totalBytes > this.#deps.maxBytes) await this.#evict();
    });
  }

  /** Remembers the use. Rewrites the object if the stored time is old. */
  async #use(key: string, bytes: Buffer): Promise<void> {
    const now = this.#deps.now();
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.usedAtMs = now;
    if (now - entry.storedAtMs < TOUCH_AFTER_MS) return;
    entry.storedAtMs = now;
    await unlessFull(() => this.#deps.store.put(key, bytes));
  }

  async #list(): Promise<void> {
    const listed = new Map<string, Entry>();
    let totalBytes = 0;
    for await (const { key, sizeBytes, modifiedAt } of this.#deps.store.list(PAGE_PICTURES)) {
      const storedAtMs = modifiedAt.getTime();
      const usedAtMs = Math.max(storedAtMs, this.#entries.get(key)?.usedAtMs ?? 0);
      listed.set(key, { sizeBytes, usedAtMs, storedAtMs });
      totalBytes += sizeBytes;
    }
    this.#entries = listed;
    this.#totalBytes = totalBytes;
    this.#listedAtMs = this.#deps.now();
  }

  async #evict(): Promise<void> {
    const target = this.#deps.maxBytes * KEPT_SHARE;
    const oldestFirst = [...this.#entries].toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    for (const [key, { sizeBytes }] of oldestFirst) {
      if (this.#totalBytes <= target) return;
      await this.#deps.store.delete(key);
      this.#entries.delete(key);
      this.#totalBytes -= sizeBytes;
    }
  }

  #set(key: string, entry: Entry): void {
    this.#totalBytes += entry.sizeBytes - (this.#entries.get(key)?.sizeBytes ?? 0);
    this.#entries.set(key, entry);
  }

  #change(step: () => Promise<void>): Promise<void> {
    const done = this.#changes.then(step);
    this.#changes = done.catch(() => undefined);
    return done;
  }
}
