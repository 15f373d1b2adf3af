/** The embedders of outside providers, called within the limits of their configuration. */
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { Clock } from './clock.ts';
import { embedTexts } from './embed-texts.ts';
import type { EmbeddingProtocol, EmbeddingSettings, TextRole } from './embedding-protocol.ts';
import { providerA } from './provider-a.ts';
import { providerB } from './provider-b.ts';
import { ProviderClient } from './provider-client.ts';
import { RequestGate } from './request-gate.ts';

export interface RemoteEmbedderSettings extends EmbeddingSettings {
  /** Configurations share nothing: each has its own limits. */
  configurationId: string;
  provider: 'provider_a' | 'provider_b';
  maxConcurrency?: number | undefined;
  requestsPerMinute?: number | undefined;
}

const PROTOCOLS: Record<RemoteEmbedderSettings['provider'], EmbeddingProtocol> = {
  provider_a: providerA,
  provider_b: providerB,
};
const DEFAULT_CONCURRENCY = 4;
const TIMEOUT_MS = 60_000;
/** Gates remembered; the one made first goes first. */
const MAX_GATES = 10_000;

export class RemoteEmbedders {
  readonly #outbound: Pick<OutboundClient, 'request'>;
  readonly #clock: Clock;
  readonly #gates = new Map<string, RequestGate>();

  constructor(deps: { outbound: Pick<OutboundClient, 'request'>; clock: Clock }) {
    this.#outbound = deps.outbound;
    this.#clock = deps.clock;
  }

  /** One vector a text, L2-normalised. Rejects with `ProviderError`. */
  embed(
    settings: RemoteEmbedderSettings,
    texts: readonly string[],
    role: TextRole,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const gate = this.#gateOf(settings);
    const client = new ProviderClient({ outbound: this.#outbound, gate, clock: this.#clock, timeoutMs: TIMEOUT_MS });
    return embedTexts({ protocol: PROTOCOLS[settings.provider], settings, client }, texts, role, signal);
  }

  #gateOf({ configurationId, maxConcurrency, requestsPerMinute }: RemoteEmbedderSettings): RequestGate {
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
    const gate = new RequestGate(limits, this.#clock);
    this.#gates.set(configurationId, gate);
    return gate;
  }
}
