import { Answer } from '../chat/answer.ts';
import type { Chat, Message, Query, Schemas } from '../api.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';

const BASE = '/v1/w/{ws}/chat';

/** The chats of the workspace. */
export class Chats {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: Schemas['CreateChatRequest'], options: CallOptions = {}): Promise<Chat> {
    return this.#transport.data({ method: 'POST', path: BASE, json: body, ...options });
  }

  list(options: Query<'listChats'> & CallOptions = {}): Listing<Chat> {
    return this.#transport.list(BASE, options);
  }

  get(id: string, options: CallOptions = {}): Promise<Chat> {
    return this.#transport.data({ path: BASE + path`/${id}`, ...options });
  }

  update(id: string, changes: Schemas['UpdateChatRequest'], options: CallOptions = {}): Promise<Chat> {
    return this.#transport.data({ method: 'PATCH', path: BASE + path`/${id}`, json: changes, ...options });
  }

  delete(id: string, options: Query<'deleteChat'> & CallOptions = {}): Promise<Chat> {
    const { purge, ...rest } = options;
    return this.#transport.data({ method: 'DELETE', path: BASE + path`/${id}`, query: { purge }, ...rest });
  }

  undelete(id: string, options: CallOptions = {}): Promise<Chat> {
    return this.#transport.data({ method: 'PUT', path: BASE + path`/${id}/undelete`, ...options });
  }
}

/** One chat. Making one sends no request. */
export class ChatHandle {
  readonly id: string;
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
  }

  get(options: CallOptions = {}): Promise<Chat> {
    return new Chats(this.#transport).get(this.id, options);
  }

  /**
   * Sends a question. Iterate the answer for its growing state or `events()`, or await `final`. It continues by itself
   * after a lost connection.
   */
  ask(query: string, options: CallOptions = {}): Answer {
    return new Answer(this.#transport, this.id, { query }, options);
  }

  /** Follows an answer to a question that was sent elsewhere, from its beginning. */
  follow(messageId: string, options: CallOptions = {}): Answer {
    return new Answer(this.#transport, this.id, { messageId }, options);
  }

  /** Ends a running answer and keeps what there is. */
  stop(messageId: string, options: CallOptions = {}): Promise<Message> {
    const target = BASE + path`/${this.id}/message/${messageId}/stop`;
    return this.#transport.data({ method: 'POST', path: target, repeatable: true, ...options });
  }

  /** The messages, oldest first unless `order` is `desc`. */
  history(options: Query<'getChatHistory'> & CallOptions = {}): Listing<Message> {
    return this.#transport.list(BASE + path`/${this.id}/history`, options);
  }
}
