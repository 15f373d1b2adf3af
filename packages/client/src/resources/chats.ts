import type { Chat, Message, Query, Schemas } from '../api.ts';
import { Answer } from '../chat/answer.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';
import { SoftCrud } from './crud.ts';

const BASE = '/v1/w/{ws}/chat';

/** The chats of the workspace. */
export class Chats extends SoftCrud<
  Chat,
  Schemas['CreateChatRequest'],
  Schemas['UpdateChatRequest'],
  Query<'listChats'>,
  Query<'deleteChat'>
> {
  constructor(transport: Transport) {
    super(transport, BASE);
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
   * after a lost connection. `timeoutMs` bounds the whole answer.
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

  /** Lists the messages, oldest first unless `order` is `desc`. */
  history(options: Query<'getChatHistory'> & CallOptions = {}): Listing<Message> {
    return this.#transport.list(BASE + path`/${this.id}/history`, options);
  }
}
