/** Refuses calls for a while after several of them found no node, so that requests fail before their timeout. */
import { IndexUnavailableError } from '../search-index.ts';
import { isUnreachable } from './cluster-errors.ts';

const FAILURES = 5;
const OPEN_MS = 2_000;

export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #openUntil = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Runs the call. Throws `IndexUnavailableError` while the circuit is open; after a pause one call tries again. */
  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#failures >= FAILURES) {
      const now = this.#now();
      if (now < this.#openUntil) throw new IndexUnavailableError('The search cluster cannot be reached', 2);
      this.#openUntil = now + OPEN_MS;
    }
    try {
      const result = await call();
      this.#failures = 0;
      return result;
    } catch (error) {
      if (isUnreachable(error)) {
        this.#failures += 1;
        this.#openUntil = this.#now() + OPEN_MS;
      } else this.#failures = 0;
      throw error;
    }
  }
}
