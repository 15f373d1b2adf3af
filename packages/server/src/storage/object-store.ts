import type { Readable } from 'node:stream';

export interface ObjectStat {
  sizeBytes: number;
}

export interface ListedObject extends ObjectStat {
  key: string;
  /** Time of the last `put`. */
  modifiedAt: Date;
}

/**
 * Originals and artifacts by key (`a/b/c`, characters `[A-Za-z0-9._/-]`). When a `put` has answered, the bytes are
 * durable: a crash or power loss afterwards does not lose them. Implementations pass `conformance.ts`.
 */
export interface ObjectStore {
  /** Stores the stream under the key, replacing what was there; nothing is visible before it is whole. */
  put(key: string, body: Readable | Buffer, signal?: AbortSignal): Promise<ObjectStat>;
  /** Moves a finished file of the local disk into the store (the fast way for uploads spooled to disk). */
  putFile(key: string, path: string, signal?: AbortSignal): Promise<ObjectStat>;
  /** Undefined when there is no such object. `range` is `[start, end]`, both inclusive, in bytes. */
  get(key: string, range?: readonly [number, number], signal?: AbortSignal): Promise<Readable | undefined>;
  stat(key: string): Promise<ObjectStat | undefined>;
  /** A local path holding the object, for readers that need a file; call `release` when done with it. */
  checkout(key: string, signal?: AbortSignal): Promise<{ path: string; release: () => Promise<void> } | undefined>;
  /** Lists the objects below a prefix, in no particular order. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<ListedObject>;
  delete(key: string): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  close(): Promise<void>;
}
