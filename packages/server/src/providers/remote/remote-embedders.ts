/** The embedders of outside providers, called within the limits of their configuration. */
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { Clock } from './clock.ts';
import { embedTexts } from './embed-texts.ts';
import type { EmbeddingProtocol, EmbeddingSettings, TextRole } from './embedding-protocol.ts';
import { providerA } from './provider-a.ts';
import { providerB } from './provider-b.ts';
import { ProviderClient } from './provider-client.ts';
import { RequestGates, type ConfiguredLimits } from './request-gates.ts';

export interface RemoteEmbedderSettings extends EmbeddingSettings, ConfiguredLimits {
  provider: 'provider_a' | 'provider_b';
}

const PROTOCOLS: Record<RemoteEmbedderSettings['provider'], EmbeddingProtocol> = {
  provider_a: providerA,
  provider_b: providerB,
};
const TIMEOUT_MS = 60_000;

export class RemoteEmbedders {
  readonly #outbound: Pick<OutboundClient, 'request'>;
  readonly #clock: Clock;
  readonly #gates: RequestGates;

  constructor(deps: { outbound: Pick<OutboundClient, 'request'>; clock: Clock }) {
    this.#outbound = deps.outbound;
    this.#clock = deps.clock;
    this.#gates = new RequestGates(deps.clock);
  }

  /** One vector a text, L2-normalised. Rejects with `ProviderError`. */
  embed(
    settings: RemoteEmbedderSettings,
    texts: readonly string[],
    role: TextRole,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const gate = this.#gates.of(settings);
    const client = new ProviderClient({ outbound: this.#outbound, gate, clock: this.#clock, timeoutMs: TIMEOUT_MS });
    return embedTexts({ protocol: PROTOCOLS[settings.provider], settings, client }, texts, role, signal);
  }
}
