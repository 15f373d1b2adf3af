/**
 * Connections to outside providers, by configuration. All uses of a configuration in this process (ingestion, search,
 * tests) share its limits; different configurations share nothing.
 */
import type { OutboundClient } from '@quire/outbound/outbound-client';
import { adapterOf, type ProviderDescriptors } from '../provider-descriptor.ts';
import type { ProviderCallRecord, ProviderObserver } from '../provider-observer.ts';
import type { Clock } from './clock.ts';
import type { EmbeddingProtocol } from './embedding-protocol.ts';
import type { PageProtocol } from './page-protocol.ts';
import { ProviderClient } from './provider-client.ts';
import type { ConfiguredLimits, RequestGates } from './request-gates.ts';

/** Address, key and limits of a configuration's calls. */
export interface ProviderConnection extends ConfiguredLimits {
  provider: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

export interface ProviderConnectionsDeps {
  providers: ProviderDescriptors;
  outbound: Pick<OutboundClient, 'request'>;
  clock: Clock;
  gates: RequestGates;
  observe: ProviderObserver;
  /** Overrides the time limit of every operation; for tests. */
  timeoutMs?: number;
  /** Maximum number of attempts of a call. */
  attempts?: number;
}

export class ProviderConnections {
  readonly #deps: ProviderConnectionsDeps;

  constructor(deps: ProviderConnectionsDeps) {
    this.#deps = deps;
  }

  embeddingProtocolOf({ provider }: Pick<ProviderConnection, 'provider'>): EmbeddingProtocol {
    return adapterOf(this.#deps.providers, 'embedders', provider);
  }

  pageProtocolOf({ provider }: Pick<ProviderConnection, 'provider'>): PageProtocol {
    return adapterOf(this.#deps.providers, 'parsers', provider);
  }

  /** Returns connections that make each call once, also after a failure. */
  once(): ProviderConnections {
    return new ProviderConnections({ ...this.#deps, attempts: 1 });
  }

  /** `timeoutMs`: maximum duration of one attempt, up to the last byte of the response. */
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
