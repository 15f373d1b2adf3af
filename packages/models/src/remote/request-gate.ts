/**
 * Limits the calls of a configuration to its provider: the number of concurrent calls and of calls started in a minute.
 */
import type { Clock } from './clock.ts';

export interface GateLimits {
  maxConcurrency: number;
  /** Null: no limit. */
  requestsPerMinute: number | null;
}

/** The limits over all processes. Without it, each process counts its own calls. */
export interface SharedCallLimits {
  /** Counts a call that starts now and returns 0, or returns the time in ms after which to try again. */
  takeCall(configurationId: string, perMinute: number): Promise<number>;
  /** Returns a function that frees the slot; null if `max` calls are running. */
  takeSlot(configurationId: string, max: number): Promise<(() => void) | null>;
}

const MINUTE_MS = 60_000;
/** Bounds on the interval between two attempts to get a slot that other processes use. */
const MIN_SLOT_WAIT_MS = 25;
const MAX_SLOT_WAIT_MS = 400;

export class RequestGate {
  limits: GateLimits;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  /** Number of urgent calls at the front of `#waiting`. */
  #urgent = 0;
  /** Time before which no call may start, because the provider requested a pause. */
  #heldUntil = 0;
  /** Start times of the calls of the last minute, oldest first. */
  #starts: number[] = [];
  readonly #shared: { limits: SharedCallLimits; configurationId: string } | null;
  #running = 0;

  constructor(
    limits: GateLimits,
    clock: Clock,
    shared: { limits: SharedCallLimits; configurationId: string } | null = null,
  ) {
    this.limits = limits;
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Runs the work when a slot is free. Rejects if the signal is aborted before. `urgent` as for `enter`. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal, urgent = false): Promise<T> {
    const leave = await this.enter(signal, urgent);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Delays all calls, because the provider requested a pause. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + ms);
  }

  /**
   * Waits for a slot and returns a function that frees it. Rejects if the signal is aborted before. Urgent calls, for
   * which a user waits, go before all others.
   */
  async enter(signal: AbortSignal, urgent = false): Promise<() => void> {
    await this.#awaitRoom(signal, urgent);
    let free = (): void => undefined;
    const leave = (): void => {
      free();
      this.#running -= 1;
      this.#wakeNext();
    };
    try {
      free = await this.#awaitSlot(signal);
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
      // The aborted call may have been the one that was woken.
      if (signal.aborted) this.#wakeNext();
      signal.throwIfAborted();
    }
    this.#running += 1;
  }

  async #awaitSlot(signal: AbortSignal): Promise<() => void> {
    if (this.#shared === null) return () => undefined;
    const { limits, configurationId } = this.#shared;
    for (let wait = MIN_SLOT_WAIT_MS; ; wait = Math.min(MAX_SLOT_WAIT_MS, wait * 2)) {
      signal.throwIfAborted();
      const free = await limits.takeSlot(configurationId, this.limits.maxConcurrency);
      if (free !== null) return free;
      await this.#clock.pause(wait * (0.5 + this.#clock.random()), signal);
    }
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
    if (this.#shared !== null) return this.#awaitSharedQuota(requestsPerMinute, this.#shared, signal);
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

  async #awaitSharedQuota(
    perMinute: number,
    { limits, configurationId }: { limits: SharedCallLimits; configurationId: string },
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = await limits.takeCall(configurationId, perMinute);
      if (waitMs === 0) return;
      await this.#clock.pause(waitMs, signal);
    }
  }
}
