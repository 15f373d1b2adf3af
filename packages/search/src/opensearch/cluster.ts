/** The connection to an OpenSearch cluster: its nodes, repetitions of calls, and the circuit breaker. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@opensearch-project/opensearch';
import { IndexUnavailableError } from '../search-index.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { isMissingAlias, isMissingIndex, isOverloaded, isStarting, unavailable } from './cluster-errors.ts';
import type { OpenSearchLocation } from './opensearch-location.ts';

export interface OpenSearchOptions {
  location: OpenSearchLocation;
  /** Certificates (PEM) of additional authorities. */
  extraCa?: string | null;
  requestMs?: number;
  /** Time after which a search is sent to another node: a node that hangs keeps its connections open. */
  searchMs?: number;
  /** Pause before the first repetition of a refused request, in ms; it doubles. */
  backOffMs?: number;
}

/** How many shards of an index have answered. */
export interface ShardCounts {
  total: number;
  successful: number;
  failed: number;
}

const REQUEST_MS = 30_000;
const SEARCH_MS = 10_000;
const BACK_OFF_MS = 100;
/** Maximum number of attempts of a call or a row that the cluster was too busy for. */
export const MAX_ATTEMPTS = 6;
/** The same of a search whose shards are starting; pauses of 0.7 s in total. */
const START_ATTEMPTS = 4;

export class Cluster {
  readonly #client: Client;
  readonly #backOffMs: number;
  readonly #breaker = new CircuitBreaker();
  /** Options of a call that only reads. */
  readonly reading: { requestTimeout: number };

  constructor({
    location,
    extraCa = null,
    requestMs = REQUEST_MS,
    searchMs = Math.min(SEARCH_MS, requestMs),
    backOffMs = BACK_OFF_MS,
  }: OpenSearchOptions) {
    this.reading = { requestTimeout: searchMs };
    this.#backOffMs = backOffMs;
    this.#client = new Client({
      nodes: location.nodes,
      ...(location.auth !== null && { auth: location.auth }),
      ...(extraCa !== null && { ssl: { ca: extraCa } }),
      requestTimeout: requestMs,
      maxRetries: Math.max(2, location.nodes.length),
      resurrectStrategy: 'ping',
      agent: { keepAlive: true, maxSockets: 64 },
    });
  }

  /** Returns undefined if the index does not exist. */
  async ifPresent<Result>(call: (client: Client) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.call(call);
    } catch (error) {
      if (isMissingIndex(error) || isMissingAlias(error)) return undefined;
      throw error;
    }
  }

  /**
   * Repeats a call that the cluster was too busy for, or whose shards are starting; other failures become
   * `IndexUnavailableError` if they pass.
   */
  async call<Result>(call: (client: Client) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#breaker.run(() => call(this.#client));
      } catch (error) {
        const attempts = isOverloaded(error) ? MAX_ATTEMPTS : isStarting(error) ? START_ATTEMPTS : 1;
        if (attempt >= attempts) throw unavailable(error);
        await this.pause(attempt);
      }
    }
  }

  /** Waits before the next attempt, longer after each. */
  pause(attempt: number): Promise<void> {
    return sleep(this.#backOffMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** Throws unless all shards have answered: a shorter answer hides rows, and a smaller count starts a rebuild. */
export function requireWhole({
  timed_out: timedOut,
  _shards: shards,
}: {
  timed_out?: boolean;
  _shards?: ShardCounts;
}): void {
  if (timedOut !== true && (shards === undefined || (shards.failed === 0 && shards.successful === shards.total)))
    return;
  const counts = `${shards?.successful ?? 0} of ${shards?.total ?? 0} shards`;
  throw new IndexUnavailableError(`The search cluster answered from ${counts} only`, 2);
}
