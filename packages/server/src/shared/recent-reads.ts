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

export class RecentReads<Value> {
  readonly #options: Required<RecentReadsOptions>;
  readonly #kept = new Map<string, { value: Promise<Value | undefined>; until: number }>();

  constructor(options: RecentReadsOptions) {
    this.#options = { maxKept: MAX_KEPT, ...options };
  }

  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#kept.get(key);
    if (known !== undefined && known.until > this.#options.now()) return known.value;
    if (this.#kept.size >= this.#options.maxKept) this.#kept.clear();
    const entry = { value: read(), until: this.#options.now() + this.#options.keptMs };
    this.#kept.set(key, entry);
    const forget = (): void => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    };
    entry.value.then((value) => (value === undefined ? forget() : undefined), forget);
    return entry.value;
  }

  /** What is asked for from now on is read from now on. */
  forgetAll(): void {
    this.#kept.clear();
  }
}
