/** Failures of files, kept for a while so that the same work on the same file is not tried again at once. */
interface Failure {
  error: unknown;
  untilMs: number;
}

const KEPT_MS = 600_000;
const MAX_FAILURES = 1_000;

export class RememberedFailures {
  readonly #now: () => number;
  readonly #failures = new Map<string, Failure>();

  /** @param now returns the time in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Throws the error that is remembered under the key, if there is one. */
  throwKnown(key: string): void {
    const failure = this.#failures.get(key);
    if (failure === undefined) return;
    if (failure.untilMs > this.#now()) throw failure.error;
    this.#failures.delete(key);
  }

  /** Remembers the error for ten minutes; the oldest one makes room. */
  remember(key: string, error: unknown): void {
    const [oldest] = this.#failures.keys();
    if (this.#failures.size >= MAX_FAILURES && oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(key, { error, untilMs: this.#now() + KEPT_MS });
  }
}
