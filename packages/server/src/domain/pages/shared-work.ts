/**
 * Work whose result all concurrent callers share. A failure that the file causes is remembered for some minutes, so
 * that repeated requests do not repeat the work.
 */
import { ContentError } from '@quire/blocks/content-error';
import { RememberedFailures } from '../../shared/remembered-failures.ts';

export interface SharedWorkDeps {
  /** Time in ms since the epoch. */
  now: () => number;
  /** Returns the error that clients receive for a failure that the file causes. */
  answerFor: (error: ContentError) => Error;
}

export class SharedWork<Result> {
  readonly #deps: SharedWorkDeps;
  readonly #pending = new Map<string, Promise<Result>>();
  readonly #failures: RememberedFailures;

  constructor(deps: SharedWorkDeps) {
    this.#deps = deps;
    this.#failures = new RememberedFailures(deps.now);
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
    this.#failures.throwKnown(key);
    try {
      return await make();
    } catch (error) {
      throw this.#remember(key, error);
    }
  }

  #remember(key: string, error: unknown): unknown {
    if (!(error instanceof ContentError)) return error;
    const answer = this.#deps.answerFor(error);
    this.#failures.remember(key, answer);
    return answer;
  }
}
