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
  /** When the calls of the last minute were started, oldest first. */
  #starts: number[] = [];
  #running = 0;

  constructor(limits: GateLimits, clock: Clock) {
    this.limits = limits;
    this.#clock = clock;
  }

  /** Runs the work when there is room for it; rejects when the signal is aborted before. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const leave = await this.enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Resolves when there is room, to what gives the room back; rejects when the signal is aborted before. */
  async enter(signal: AbortSignal): Promise<() => void> {
    await this.#awaitRoom(signal);
    const leave = (): void => {
      this.#running -= 1;
      this.#waiting.shift()?.();
    };
    try {
      await this.#awaitQuota(signal);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #awaitRoom(signal: AbortSignal): Promise<void> {
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
          resolve();
        };
        this.#waiting.push(wake);
        signal.addEventListener('abort', giveUp, { once: true });
      });
      // Whoever gives up may have been the one that was woken.
      if (signal.aborted) this.#waiting.shift()?.();
      signal.throwIfAborted();
    }
    this.#running += 1;
  }

  async #awaitQuota(signal: AbortSignal): Promise<void> {
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
