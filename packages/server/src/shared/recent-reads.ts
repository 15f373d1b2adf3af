/**
 * Caches recent reads for a short time, so that a busy caller does not read the same record with every request.
 * Concurrent calls share one read. Absent records are not cached.
 */
export interface RecentReadsOptions {
  keptMs: number;
  /** A clock that never steps back, in milliseconds; `performance.now` by default. */
  now?: () => number;
  maxKept?: number;
}

const MAX_KEPT = 10_000;

interface Kept<Value> {
  reading: Promise<Value | undefined>;
  /** Undefined until the read has completed. */
  value: Value | undefined;
  until: number;
}

export class RecentReads<Value> {
  readonly #options: Required<RecentReadsOptions>;
  readonly #kept = new Map<string, Kept<Value>>();

  constructor(options: RecentReadsOptions) {
    this.#options = { maxKept: MAX_KEPT, now: () => performance.now(), ...options };
  }

  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#kept.get(key);
    if (known !== undefined && known.until > this.#options.now()) return known.reading;
    if (this.#kept.size >= this.#options.maxKept) this.#kept.clear();
    const entry: Kept<Value> = { reading: read(), value: undefined, until: this.#options.now() + this.#options.keptMs };
    this.#kept.set(key, entry);
    const forget = (): void => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    };
    entry.reading.then((value) => {
      entry.value = value;
      if (value === undefined) forget();
    }, forget);
    return entry.reading;
  }

  /** Returns the cached value; undefined when `get` would have to read or wait. */
  peek(key: string): Value | undefined {
    const known = this.#kept.get(key);
    return known !== undefined && known.until > this.#options.now() ? known.value : undefined;
  }

  /** Drops every entry; reads that are in progress are not cached. */
  forgetAll(): void {
    this.#kept.clear();
  }
}
