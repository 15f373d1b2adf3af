/** Questions to a chat with a language model; every message ends, after any failure of service or provider. */
import { setTimeout as delay } from 'node:timers/promises';
import { startChatProvider, type ChatProvider, type Said } from '../../packages/server/test/chat-provider.ts';
import type { Workspace } from './workspace.ts';

export type ProviderMode = 'answers' | 'hangs' | 'hangs up' | 'fails';

interface ProviderState {
  mode: ProviderMode;
  /** Ends the answers that hang. */
  release: () => void;
  released: Promise<void>;
}

/** A language model that answers, hangs or fails on demand. */
export class Provider {
  readonly #server: ChatProvider;
  readonly #state: ProviderState;

  private constructor(server: ChatProvider, state: ProviderState) {
    this.#server = server;
    this.#state = state;
  }

  static async start(): Promise<Provider> {
    const state: ProviderState = { mode: 'answers', release: () => undefined, released: Promise.resolve() };
    const server = await startChatProvider(() => {
      if (state.mode === 'fails') return { status: 500, error: 'The model failed' };
      const middle: Record<Exclude<ProviderMode, 'fails'>, Said[]> = {
        answers: ['is '],
        hangs: [{ wait: state.released }, { hangUp: true }],
        'hangs up': [{ hangUp: true }],
      };
      return ['It ', ...middle[state.mode], 'here.'];
    });
    return new Provider(server, state);
  }

  get baseUrl(): string {
    return this.#server.baseUrl;
  }

  set(mode: ProviderMode): void {
    this.#state.release();
    this.#state.mode = mode;
    this.#state.released = new Promise((resolve) => (this.#state.release = resolve));
  }

  close(): Promise<void> {
    this.#state.release();
    return this.#server.close();
  }
}

interface Message {
  id: string;
  role: string;
  status: string;
}

export class ChatHistory {
  readonly #workspace: Workspace;
  readonly #chats: string[];
  #next = 0;
  #answered = 0;

  private constructor(workspace: Workspace, chats: string[]) {
    this.#workspace = workspace;
    this.#chats = chats;
  }

  static async start(workspace: Workspace, collection: string, provider: Provider): Promise<ChatHistory> {
    const config = { provider: 'provider_a', model: 'm', baseUrl: provider.baseUrl, contextTokens: 8_192 };
    const model = await workspace.request<{ id: string }>('POST', '/config/models', { name: 'M', config });
    const chats: string[] = [];
    for (let count = 0; count < 3; count++) {
      const body = { title: `Chat ${count}`, collection_id: collection, modelId: model.id };
      chats.push((await workspace.request<{ id: string }>('POST', '/chat', body)).id);
    }
    return new ChatHistory(workspace, chats);
  }

  async act(): Promise<void> {
    const chat = this.#chats[this.#next++ % this.#chats.length] ?? '';
    const body = { query: 'Where is it?', stream: false };
    const { messages } = await this.#workspace.request<{ messages: Message[] }>('POST', `/chat/${chat}/message`, body);
    if (messages.at(-1)?.status === 'done') this.#answered += 1;
  }

  get answered(): number {
    return this.#answered;
  }

  /** Returns the messages that have not ended. */
  async check(until: number): Promise<string[]> {
    const faults: string[] = [];
    for (const chat of this.#chats) {
      for (;;) {
        const open = (await this.#newest(chat)).filter(({ status }) => status === 'streaming');
        if (open.length === 0) break;
        if (performance.now() > until) {
          faults.push(...open.map(({ id }) => `message ${id}: still streaming`));
          break;
        }
        await delay(500);
      }
    }
    return faults;
  }

  /** One chat answers one message at a time, so only the newest can be open. */
  async #newest(chat: string): Promise<Message[]> {
    const url = `/chat/${chat}/history?order=desc&limit=10`;
    return (await this.#workspace.request<{ items: Message[] }>('GET', url)).items;
  }
}
