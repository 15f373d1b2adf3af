/**
 * A limit of requests per key that all processes share. A process leases the requests of about a second at a time, so
 * that most requests need no statement. Leased requests that are not used expire.
 */
import { limitHeaders, RateLimiter, refuseRequest, type KeyRateLimiter } from './rate-limit.ts';

/** Takes up to `tokens` requests of the key from a bucket of `capacity` that refills by `perSecond`. */
export type LeaseRequests = (
  keyId: string,
  lease: { capacity: number; perSecond: number; tokens: number },
) => Promise<{ granted: number; left: number }>;

interface Slice {
  tokens: number;
  /** Tokens in the shared bucket when this slice was leased. */
  left: number;
  expiresAtMs: number;
  /** Time before which the shared bucket has no request. */
  emptyUntilMs: number;
  leasing: Promise<void> | undefined;
}

const SLICE_MS = 5_000;
const MAX_IDLE_SLICES = 10_000;

export class SharedRateLimiter implements KeyRateLimiter {
  readonly #perMinute: number;
  readonly #lease: LeaseRequests;
  readonly #now: () => number;
  /** Counts the requests of this process while the database is away. */
  readonly #own: RateLimiter;
  readonly #slices = new Map<string, Slice>();

  constructor(perMinute: number, lease: LeaseRequests, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#lease = lease;
    this.#now = now;
    this.#own = new RateLimiter(perMinute, now);
  }

  async take(keyId: string): Promise<Record<string, string>> {
    const slice = this.#sliceOf(keyId);
    if (slice.expiresAtMs <= this.#now()) slice.tokens = 0;
    if (slice.tokens < 1 && this.#now() < slice.emptyUntilMs) refuseRequest(this.#perMinute, this.#refilled(slice));
    try {
      // Concurrent requests share a lease; those that it does not cover try again, until one grants nothing.
      while (slice.tokens < 1) {
        slice.leasing ??= this.#fill(keyId, slice).finally(() => (slice.leasing = undefined));
        await slice.leasing;
        if (slice.tokens < 1 && slice.left < 1) break;
      }
    } catch {
      // The database is away. The request itself reports it if it needs the database; `/metrics` does not.
      return this.#own.take(keyId);
    }
    if (slice.tokens < 1) refuseRequest(this.#perMinute, slice.left);
    slice.tokens -= 1;
    return limitHeaders(this.#perMinute, slice.left + slice.tokens);
  }

  async #fill(keyId: string, slice: Slice): Promise<void> {
    const perSecond = this.#perMinute / 60;
    const lease = { capacity: this.#perMinute, perSecond, tokens: Math.max(1, Math.round(perSecond)) };
    const { granted, left } = await this.#lease(keyId, lease);
    slice.tokens = granted;
    slice.left = left;
    const now = this.#now();
    slice.expiresAtMs = now + SLICE_MS;
    slice.emptyUntilMs = granted > 0 ? 0 : now + ((1 - left) / perSecond) * 1000;
  }

  /** Returns the tokens of an empty shared bucket now. */
  #refilled({ emptyUntilMs }: Slice): number {
    return 1 - ((emptyUntilMs - this.#now()) / 60_000) * this.#perMinute;
  }

  #sliceOf(keyId: string): Slice {
    const known = this.#slices.get(keyId);
    if (known !== undefined) return known;
    if (this.#slices.size >= MAX_IDLE_SLICES) this.#dropExpired();
    const slice: Slice = { tokens: 0, left: 0, expiresAtMs: 0, emptyUntilMs: 0, leasing: undefined };
    this.#slices.set(keyId, slice);
    return slice;
  }

  #dropExpired(): void {
    const now = this.#now();
    for (const [keyId, slice] of this.#slices) {
      if (slice.expiresAtMs <= now && slice.leasing === undefined) this.#slices.delete(keyId);
    }
  }
}
