/** A token bucket for each key: holds up to `perMinute` requests and refills evenly. Counts one process's requests. */
import { ApiError } from '../../errors.ts';

/** Number of buckets above which full ones are dropped, so that unused keys take no memory. */
const MAX_IDLE_BUCKETS = 10_000;

/** Limits the requests of keys. */
export interface KeyRateLimiter {
  /** Takes one request of the key and returns the `RateLimit` headers. Throws 429 if none is left. */
  take(keyId: string): Record<string, string> | Promise<Record<string, string>>;
}

const secondsFor = (tokens: number, perMinute: number): string =>
  String(Math.ceil(Math.max(0, (tokens * 60) / perMinute)));

export function limitHeaders(perMinute: number, left: number): Record<string, string> {
  return {
    'ratelimit-limit': String(perMinute),
    'ratelimit-remaining': String(Math.floor(left)),
    'ratelimit-reset': secondsFor(perMinute - left, perMinute),
  };
}

export function refuseRequest(perMinute: number, left: number): never {
  const message = `This key may make ${perMinute} requests a minute`;
  throw new ApiError(429, [{ loc: [], msg: message, type: 'rate_limited', ctx: { limit: perMinute } }], {
    ...limitHeaders(perMinute, left),
    'retry-after': secondsFor(1 - left, perMinute),
  });
}

interface Bucket {
  tokens: number;
  atMs: number;
}

export class RateLimiter implements KeyRateLimiter {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `perMinute` 0 means no limit. `now` is a clock that never steps back, in milliseconds. */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /**
   * Takes one request from the key's bucket and returns the `RateLimit` headers. Throws 429 when the bucket is empty.
   */
  take(keyId: string): Record<string, string> {
    if (this.#perMinute === 0) return {};
    const perMs = this.#perMinute / 60_000;
    const bucket = this.#refilled(keyId, perMs);
    if (bucket.tokens < 1) refuseRequest(this.#perMinute, bucket.tokens);
    bucket.tokens -= 1;
    return limitHeaders(this.#perMinute, bucket.tokens);
  }

  #refilled(keyId: string, perMs: number): Bucket {
    const atMs = this.#now();
    const known = this.#buckets.get(keyId);
    const refill = known === undefined ? this.#perMinute : known.tokens + (atMs - known.atMs) * perMs;
    const bucket = { tokens: Math.min(this.#perMinute, refill), atMs };
    this.#buckets.set(keyId, bucket);
    if (this.#buckets.size > MAX_IDLE_BUCKETS) this.#dropFull(atMs, perMs);
    return bucket;
  }

  #dropFull(atMs: number, perMs: number): void {
    for (const [keyId, bucket] of this.#buckets) {
      if (bucket.tokens + (atMs - bucket.atMs) * perMs >= this.#perMinute) this.#buckets.delete(keyId);
    }
  }
}
