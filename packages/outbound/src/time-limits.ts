/** Time limits of a request: in total, until its first byte, and between two parts of its response. */
export interface TimeLimitSettings {
  /** Maximum time from the call to the last byte of the response. */
  timeoutMs: number;
  /** Maximum time from the call to the first byte of the body. Default: `timeoutMs`. */
  firstByteMs?: number | undefined;
  /** Maximum time between two parts of the body, while a read is pending. Default: `timeoutMs`. */
  idleMs?: number | undefined;
}

export class TimeLimits {
  /** Aborted when one of the limits has passed. */
  readonly signal: AbortSignal;
  readonly #silence = new AbortController();
  readonly #settings: TimeLimitSettings;
  readonly #firstByteUntil: number;

  constructor(settings: TimeLimitSettings) {
    this.#settings = settings;
    this.#firstByteUntil = performance.now() + (settings.firstByteMs ?? settings.timeoutMs);
    this.signal = AbortSignal.any([this.#silence.signal, AbortSignal.timeout(settings.timeoutMs)]);
  }

  /** Waits for the head of the response. */
  head<T>(wait: Promise<T>): Promise<T> {
    return this.#within(this.#firstByteUntil - performance.now(), wait);
  }

  async *parts<T>(body: AsyncIterable<T>): AsyncIterable<T> {
    const parts = body[Symbol.asyncIterator]();
    try {
      let next = await this.head(parts.next());
      while (next.done !== true) {
        yield next.value;
        next = await this.#within(this.#settings.idleMs ?? this.#settings.timeoutMs, parts.next());
      }
    } finally {
      await parts.return?.();
    }
  }

  async #within<T>(ms: number, wait: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#silence.abort(), Math.max(0, ms));
    try {
      return await wait;
    } finally {
      clearTimeout(timer);
    }
  }
}
