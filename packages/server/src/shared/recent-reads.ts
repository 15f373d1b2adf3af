/**
 * Remembers what was read a moment ago, so that a busy caller does not ask for the same record with every request.
 * Callers that ask at once share one read. What is absent is not remembered.
 */
export interface RecentReadsOptions {
  keptMs: number;
  now: () => number;
  maxKept?: number;
}

const MAX_KEPT = 10_000;

interface Kept<Value> {
  reading: Promise<Value | undefined>;
  /** Undefined until it has been read. */
  value: Value | undefined;
  until: number;
}

export class RecentReads<Value> {
  readonly #options: Required<RecentReadsOptions>;
  readonly #kept = new Map<string, Kept<Value>>();

  constructor(options: RecentReadsOptions) {
    this.#options = { maxKept: MAX_KEPT, ...options };
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

  /** What `get` would give without reading, at once; undefined when it has to be read or waited for. */
  peek(key: string): Value | undefined {
    const known = this.#kept.get(key);
    return known !== undefined && known.until > this.#options.now() ? known.value : undefined;
  }

  /** What is asked for from now on is read from now on. */
  forgetAll(): void {
    this.#kept.clear();
  }
}
