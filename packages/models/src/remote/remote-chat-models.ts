/** The language models of outside providers, called within the limits of their configuration. */
import type { ChatModel } from '../chat-model.ts';
import { providerAChat } from '../providers/provider-a/chat-model.ts';
import { providerBChat } from '../providers/provider-b/chat-model.ts';
import type { ChatSettings } from './chat-settings.ts';
import { RequestGates } from './request-gates.ts';
import { SdkChatModel, type ChatTimeLimits, type ChatTransport, type SdkDialect } from './sdk-chat-model.ts';

const DIALECTS: Record<ChatSettings['provider'], (settings: ChatSettings) => SdkDialect> = {
  provider_a: providerAChat,
  provider_b: providerBChat,
};

export class RemoteChatModels {
  readonly #transport: ChatTransport;
  readonly #limits: Partial<ChatTimeLimits>;
  readonly #gates: RequestGates;

  constructor(transport: ChatTransport, limits: Partial<ChatTimeLimits> = {}) {
    this.#transport = transport;
    this.#limits = limits;
    this.#gates = new RequestGates(transport.clock);
  }

  /** Calls nobody: that a model is there shows with the first request. */
  open(settings: ChatSettings): ChatModel {
    const dialect = DIALECTS[settings.provider](settings);
    return new SdkChatModel(dialect, this.#transport, this.#gates.of(settings), this.#limits);
  }
}
