/**
 * A fair semaphore: at most `size` slots are held at once. The last `reserve` free ones are for owners that hold none,
 * so that an owner that takes as many as it can never keeps another from its first.
 */
import { FairQueue } from './fair-queue.ts';
import { FairShares } from './fair-shares.ts';

export interface FairSlotsOptions {
  size: number;
  reserve: number;
  /** Longest wait for a slot, in ms; `take` rejects then with the error of `timeoutError`. */
  timeoutMs: number;
  timeoutError: () => Error;
}

interface WaitingTake {
  owner: string;
  rank: number;
  start: () => void;
}

export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #shares = new FairShares();
  readonly #waiting = new FairQueue<WaitingTake>(this.#shares);
  #held = 0;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  /** Resolves with a function that gives the slot back. */
  async take(owner: string): Promise<() => void> {
    if (this.#waiting.length === 0 && this.#isFreeFor(owner)) return this.#hold(owner);
    const { timeoutMs, timeoutError } = this.#options;
    return new Promise((resolve, reject) => {
      const waiting: WaitingTake = {
        owner,
        rank: 0,
        start: () => {
          clearTimeout(timer);
          resolve(this.#hold(owner));
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.remove(waiting);
        reject(timeoutError());
      }, timeoutMs);
      this.#waiting.add(waiting);
      // Others may wait only because they hold slots already.
      this.#dispatch();
    });
  }

  #hold(owner: string): () => void {
    this.#held += 1;
    const give = this.#shares.take(owner);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      give();
      this.#held -= 1;
      this.#dispatch();
    };
  }

  #dispatch(): void {
    while (this.#held < this.#options.size) {
      const next = this.#waiting.take(({ owner }) => this.#isFreeFor(owner));
      if (next === undefined) return;
      next.start();
    }
  }

  #isFreeFor(owner: string): boolean {
    const free = this.#options.size - this.#held;
    return this.#shares.heldBy(owner) === 0 ? free > 0 : free > this.#options.reserve;
  }
}
