/** How fast a configuration may call its provider: so many calls at once, so many started in a minute. */
import type { Clock } from './clock.ts';

export interface GateLimits {
  maxConcurrency: number;
  /** Null for no limit. */
  requestsPerMinute: number | null;
}

const MINUTE_MS = 60_000;

export class RequestGate {
  limits: GateLimits;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  /** Those of `#waiting`, in front, that somebody is waiting for. */
  #urgent = 0;
  /** Nobody starts before: the provider has asked for a pause. */
  #heldUntil = 0;
  /** When the calls of the last minute were started, oldest first. */
  #starts: number[] = [];
  #running = 0;

  constructor(limits: GateLimits, clock: Clock) {
    this.limits = limits;
    this.#clock = clock;
  }

  /** Runs the work when there is room for it; rejects when the signal is aborted before. `urgent` as for `enter`. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal, urgent = false): Promise<T> {
    const leave = await this.enter(signal, urgent);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** The provider has asked for a pause: it is for all calls, not only for the one that was told. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + ms);
  }

  /**
   * Resolves when there is room, to what gives the room back; rejects when the signal is aborted before. Urgent calls,
   * which somebody waits for, go before all that are not.
   */
  async enter(signal: AbortSignal, urgent = false): Promise<() => void> {
    await this.#awaitRoom(signal, urgent);
    const leave = (): void => {
      this.#running -= 1;
      this.#wakeNext();
    };
    try {
      await this.#awaitQuota(signal);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #wakeNext(): void {
    const wake = this.#waiting.shift();
    if (wake === undefined) return;
    this.#urgent = Math.max(0, this.#urgent - 1);
    wake();
  }

  async #awaitRoom(signal: AbortSignal, urgent: boolean): Promise<void> {
    signal.throwIfAborted();
    while (this.#running >= this.limits.maxConcurrency) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = (): void => {
          const place = this.#waiting.indexOf(wake);
          if (place >= 0) this.#waiting.splice(place, 1);
          if (place >= 0 && place < this.#urgent) this.#urgent -= 1;
          resolve();
        };
        this.#waiting.splice(urgent ? this.#urgent : this.#waiting.length, 0, wake);
        if (urgent) this.#urgent += 1;
        signal.addEventListener('abort', giveUp, { once: true });
      });
      // Whoever gives up may have been the one that was woken.
      if (signal.aborted) this.#wakeNext();
      signal.throwIfAborted();
    }
    this.#running += 1;
  }

  #heldMs(): number {
    return this.#heldUntil - this.#clock.now();
  }

  async #awaitQuota(signal: AbortSignal): Promise<void> {
    for (let wait = this.#heldMs(); wait > 0; wait = this.#heldMs()) {
      await this.#clock.pause(wait, signal);
      signal.throwIfAborted();
    }
    const { requestsPerMinute } = this.limits;
    if (requestsPerMinute === null) return;
    for (;;) {
      signal.throwIfAborted();
      const now = this.#clock.now();
      this.#starts = this.#starts.filter((start) => start > now - MINUTE_MS);
      const blocking = this.#starts[this.#starts.length - requestsPerMinute];
      if (blocking === undefined) break;
      await this.#clock.pause(blocking + MINUTE_MS - now, signal);
    }
    this.#starts.push(this.#clock.now());
  }
}
