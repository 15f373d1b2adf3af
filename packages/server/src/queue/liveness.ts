/**
 * Whether only a restart helps this process, for `/healthz`: a lane of jobs is not revived by its watchdog, or the
 * connections for requests or jobs stay silent, while the database answers a new connection.
 */
import { describeDeath } from './readiness.ts';
import type { LaneStatus } from './worker.ts';

export interface LivenessDeps {
  lanes: () => readonly LaneStatus[];
  /** A statement over the connections for requests, and one over those for jobs; may never settle. */
  ping: () => Promise<void>;
  /** Resolves if the database answers a new connection and is not busy; settles within seconds. */
  pingAnew: () => Promise<void>;
  /** Monotonic time, in ms. */
  now: () => number;
}

const PING_EVERY_MS = 10_000;
/** Connections that have not answered for so long count as lost. */
const DEAD_AFTER_MS = 90_000;

export class Liveness {
  readonly #deps: LivenessDeps;
  #pingedAt = -Infinity;
  /** Start of the first statement since the last answer; null if there is none. */
  #silentSince: number | null = null;

  constructor(deps: LivenessDeps) {
    this.#deps = deps;
  }

  /** Returns the reason for a restart; null if the process is well, or the database is away or busy. */
  async check(): Promise<string | null> {
    this.#ping();
    const reasons = [describeDeath(this.#deps.lanes()), this.#describeSilence()].filter((each) => each !== null);
    if (reasons.length === 0) return null;
    const isAnswering = await this.#deps.pingAnew().then(
      () => true,
      () => false,
    );
    return isAnswering ? reasons.join('; ') : null;
  }

  #ping(): void {
    const now = this.#deps.now();
    if (now - this.#pingedAt < PING_EVERY_MS) return;
    this.#pingedAt = now;
    this.#silentSince ??= now;
    this.#deps.ping().then(
      () => (this.#silentSince = null),
      // The silence continues.
      () => undefined,
    );
  }

  #describeSilence(): string | null {
    const silentMs = this.#silentSince === null ? 0 : this.#deps.now() - this.#silentSince;
    if (silentMs <= DEAD_AFTER_MS) return null;
    return `database connections for requests or jobs have been silent for ${Math.round(silentMs / 1000)} s`;
  }
}
