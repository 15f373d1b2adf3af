/** The request gates by configuration; each has its own limits. */
import type { Clock } from './clock.ts';
import { RequestGate, type SharedCallLimits } from './request-gate.ts';

export interface ConfiguredLimits {
  configurationId: string;
  maxConcurrency?: number | undefined;
  requestsPerMinute?: number | undefined;
}

const DEFAULT_CONCURRENCY = 4;
/** Maximum number of gates; the oldest is evicted. */
const MAX_GATES = 10_000;

export class RequestGates {
  readonly #clock: Clock;
  readonly #shared: SharedCallLimits | null;
  readonly #gates = new Map<string, RequestGate>();

  /** `shared` counts the calls of all processes. */
  constructor(clock: Clock, shared: SharedCallLimits | null = null) {
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Returns the gate of a configuration, and updates its limits. */
  of({ configurationId, maxConcurrency, requestsPerMinute }: ConfiguredLimits): RequestGate {
    const limits = {
      maxConcurrency: maxConcurrency ?? DEFAULT_CONCURRENCY,
      requestsPerMinute: requestsPerMinute ?? null,
    };
    const known = this.#gates.get(configurationId);
    if (known !== undefined) {
      known.limits = limits;
      return known;
    }
    const [oldest] = this.#gates.keys();
    if (this.#gates.size >= MAX_GATES && oldest !== undefined) this.#gates.delete(oldest);
    const shared = this.#shared === null ? null : { limits: this.#shared, configurationId };
    const gate = new RequestGate(limits, this.#clock, shared);
    this.#gates.set(configurationId, gate);
    return gate;
  }
}
