/**
 * Work whose result all concurrent callers share. A failure that the file causes is remembered for some minutes, so
 * that repeated requests do not repeat the work.
 */
import { ContentError } from '@quire/blocks/content-error';

export interface SharedWorkDeps {
  /** Time in ms since the epoch. */
  now: () => number;
  /** Returns the error that clients receive for a failure that the file causes. */
  answerFor: (error: ContentError) => Error;
}

interface Failure {
  error: Error;
  untilMs: number;
}

/** Time in ms for which work that failed is not tried again. */
const FAILURE_KEPT_MS = 600_000;
const MAX_FAILURES = 1000;

export class SharedWork<Result> {
  readonly #deps: SharedWorkDeps;
  readonly #pending = new Map<string, Promise<Result>>();
  readonly #failures = new Map<string, Failure>();

  constructor(deps: SharedWorkDeps) {
    this.#deps = deps;
  }

  /** Returns the result of `make`, or of a concurrent call with the same key. */
  once(key: string, make: () => Promise<Result>): Promise<Result> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const made = this.#make(key, make).finally(() => this.#pending.delete(key));
    this.#pending.set(key, made);
    return made;
  }

  async #make(key: string, make: () => Promise<Result>): Promise<Result> {
    const failure = this.#failures.get(key);
    if (failure !== undefined && failure.untilMs > this.#deps.now()) throw failure.error;
    this.#failures.delete(key);
    try {
      return await make();
    } catch (error) {
      throw this.#remember(key, error);
    }
  }

  #remember(key: string, error: unknown): unknown {
    if (!(error instanceof ContentError)) return error;
    const answer = this.#deps.answerFor(error);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size >= MAX_FAILURES && oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(key, { error: answer, untilMs: this.#deps.now() + FAILURE_KEPT_MS });
    return answer;
  }
}
