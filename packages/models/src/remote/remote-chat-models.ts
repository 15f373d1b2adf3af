/** The language models of outside providers, called within the limits of their configuration. */
import type { ChatModel } from '../chat-model.ts';
import { adapterOf, type ProviderDescriptors } from '../provider-descriptor.ts';
import type { ChatSettings } from './chat-settings.ts';
import { RequestGates } from './request-gates.ts';
import { SdkChatModel, type ChatTimeLimits, type ChatTransport } from './sdk/sdk-chat-model.ts';

export class RemoteChatModels {
  readonly #providers: ProviderDescriptors;
  readonly #transport: ChatTransport;
  readonly #limits: Partial<ChatTimeLimits>;
  readonly #gates: RequestGates;

  constructor(providers: ProviderDescriptors, transport: ChatTransport, limits: Partial<ChatTimeLimits> = {}) {
    this.#providers = providers;
    this.#transport = transport;
    this.#limits = limits;
    this.#gates = new RequestGates(transport.clock, transport.sharedLimits);
  }

  /** Makes no request; a missing model surfaces on first use. */
  open(settings: ChatSettings): ChatModel {
    const dialect = adapterOf(this.#providers, 'models', settings.provider)(settings);
    return new SdkChatModel(dialect, this.#transport, this.#gates.of(settings), this.#limits);
  }
}
