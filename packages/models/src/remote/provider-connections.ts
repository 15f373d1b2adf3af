/**
 * The ways to outside providers, by configuration: whatever a configuration is used for in this process, ingestion, search
 * or a try, shares its limits. Configurations share nothing with one another.
 */
import type { OutboundClient } from '@quire/outbound/outbound-client';
import type { ProviderCallRecord, ProviderObserver } from '../provider-observer.ts';
import type { Clock } from './clock.ts';
import { ProviderClient } from './provider-client.ts';
import type { ConfiguredLimits, RequestGates } from './request-gates.ts';

/** Where a configuration's calls go, with which key, and how many of them there may be. */
export interface ProviderConnection extends ConfiguredLimits {
  provider: 'provider_a' | 'provider_b' | 'provider_c';
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

export interface ProviderConnectionsDeps {
  outbound: Pick<OutboundClient, 'request'>;
  clock: Clock;
  gates: RequestGates;
  observe: ProviderObserver;
  /** Instead of each operation's own; for tests. */
  timeoutMs?: number;
  /** How often a call is made at most, when it fails. */
  attempts?: number;
}

export class ProviderConnections {
  readonly #deps: ProviderConnectionsDeps;

  constructor(deps: ProviderConnectionsDeps) {
    this.#deps = deps;
  }

  /** The same ways, for calls that are made once whatever becomes of them. */
  once(): ProviderConnections {
    return new ProviderConnections({ ...this.#deps, attempts: 1 });
  }

  /** `timeoutMs`: of one attempt, from the call to the last byte. */
  clientOf(
    connection: ProviderConnection,
    operation: ProviderCallRecord['operation'],
    timeoutMs: number,
  ): ProviderClient {
    const { outbound, clock, gates, observe, attempts } = this.#deps;
    return new ProviderClient({
      outbound,
      clock,
      attempts,
      timeoutMs: this.#deps.timeoutMs ?? timeoutMs,
      gate: gates.of(connection),
      observe: (attempt) => observe({ ...attempt, provider: connection.provider, operation }),
    });
  }
}
