/**
 * Answers questions: runs the chat's model in this process, and ends the message also when a step fails. A client that
 * disconnects from the stream does not affect the answer; only `stop` does.
 */
import type { Line } from '@quire/diffcp';
import type { Kysely } from 'kysely';
import type { Notifications } from '../../database/notifications.ts';
import type { ChatRecord, Database, MessageRecord } from '../../database/tables.ts';
import { ApiError, apiError, notFound } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { pause } from '@quire/shared/pause';
import { readStoredFilter } from '../documents/filter.ts';
import { bothConditions, type DocumentScope } from '../documents/scope.ts';
import type { Principal } from '../keys/types.ts';
import type { SearchService } from '../search/service.ts';
import type { SearchAnswer } from '../search/types.ts';
import type { AnswerEngine } from './answer-engine.ts';
import { runAnswer, type AnswerMetrics } from './answer-run.ts';
import { deletedDocuments } from './cited-documents.ts';
import { toChat, toMessage, type Conversation, type Message } from './conversation.ts';
import type { AnswerEngines } from './engines.ts';
import { insertExchange, requireUsable, type Exchange, type ExchangeRequest } from './exchange.ts';
import { LineBatches } from './stream/line-batches.ts';
import { LineStore, messageTopic, stopTopic } from './stream/lines.ts';
import { supportOf } from './sentence-support.ts';
import { LiveAnswer } from './stream/live-answer.ts';
import { ChatRepository } from './repository.ts';
import { isHidden, noteRetrieved, scopeOfChat, withinScope } from './scoped-messages.ts';
import { INTERRUPTED, tailStream, wholeState } from './stream/stream-tail.ts';
import { EVERY_CHAT, type FindViewer } from './viewer.ts';

export interface AnswersDeps {
  database: Kysely<Database>;
  notifications: Notifications;
  search: SearchService;
  metrics: AnswerMetrics;
  logger: Logger;
  engines: Pick<AnswerEngines, 'open'>;
  findViewer: FindViewer;
}

const STOP_WAIT_MS = 5_000;
const CLOSE_WAIT_MS = 3_000;

export class Answers {
  readonly #deps: AnswersDeps;
  readonly #lines: LineStore;
  readonly #batches: LineBatches;
  readonly #chats: ChatRepository;
  /** Answers of this process by message id; null while the exchange is being inserted. */
  readonly #live = new Map<string, LiveAnswer | null>();
  readonly #running = new Set<Promise<void>>();
  #instanceId: string | null = null;
  #closing = false;

  constructor(deps: AnswersDeps) {
    this.#deps = deps;
    this.#lines = new LineStore(deps.database);
    this.#batches = new LineBatches(this.#lines);
    this.#chats = new ChatRepository(deps.database);
  }

  /**
   * Sets the id of this process, by whose heartbeat others see that its answers are alive. Call it before the first
   * question. If there is no other process (`sole`), messages that still stream belong to a dead one and are ended.
   */
  async start(instanceId: string, sole: boolean): Promise<void> {
    this.#instanceId = instanceId;
    if (!sole) return;
    for (const message of await this.#lines.streaming()) await this.#endForeign(message, 'failed');
  }

  /** Stores the question and starts the answer; 409 while the chat answers another question, or cannot answer. */
  async ask(workspaceId: string, principal: Principal, chatId: string, query: string): Promise<LiveAnswer> {
    const startedAt = performance.now();
    if (this.#closing) throw apiError(503, 'unavailable', 'The service is stopping');
    const viewer = await this.#deps.findViewer(workspaceId, principal);
    const chat = await this.#chats.findById(workspaceId, viewer, chatId);
    if (chat === undefined) throw notFound();
    const engine = await this.#deps.engines.open(chat).catch(async (error: unknown) => {
      // A deleted chat or collection takes precedence over a model that cannot answer.
      await requireUsable(this.#deps.database, chat);
      throw error;
    });
    const exchange = await this.#store({ workspaceId, viewer, chatId, query, instanceId: this.#instanceId });
    const live = new LiveAnswer(exchange.state, (lines, message, whole) => this.#batches.store(lines, message, whole));
    this.#live.set(exchange.assistant.id, live);
    const running = this.#run(live, exchange, engine, startedAt).finally(() => {
      this.#live.delete(exchange.assistant.id);
      this.#running.delete(running);
    });
    this.#running.add(running);
    return live;
  }

  /** Returns the stored exchange, after the answer ended. */
  async stored(live: LiveAnswer): Promise<Conversation> {
    const { chat, messages } = live.state;
    const message = await this.#lines.message(messages[1].id);
    return { chat, messages: [messages[0], message === undefined ? messages[1] : await this.#shown(message)] };
  }

  /**
   * Yields the lines after a sequence number, of an answer in any process. If the scope hides the answer, yields its
   * hidden state in one line.
   */
  async *tail(
    messageId: string,
    after: number,
    signal: AbortSignal,
    scope: DocumentScope | null = null,
  ): AsyncGenerator<Line> {
    const { notifications } = this.#deps;
    const stored = scope === null ? undefined : await this.#lines.message(messageId);
    const [shown] = stored === undefined ? [] : await this.#withinScope([stored], scope);
    if (shown !== undefined && isHidden(shown)) {
      const exchange = await this.#exchange(shown);
      yield wholeState(exchange, exchange.messages[1], after + 1);
      return;
    }
    const exchange = (message: MessageRecord) => this.#exchange(message);
    const isOutdated = async (message: MessageRecord) => (await this.#deletedDocuments(message)).size > 0;
    yield* tailStream({ lines: this.#lines, notifications, exchange, isOutdated }, messageId, after, signal);
  }

  /** Ends the answer at its present text, in whichever process it runs; one that has ended stays unchanged. */
  async stop(messageId: string, scope: DocumentScope | null = null): Promise<Message> {
    const { database, notifications } = this.#deps;
    const until = Date.now() + STOP_WAIT_MS;
    for (;;) {
      const wake = new AbortController();
      const unsubscribe = notifications.subscribe(messageTopic(messageId), () => wake.abort());
      try {
        const message = await this.#lines.message(messageId);
        if (message === undefined) throw notFound();
        if (message.status !== 'streaming') {
          const [visible = message] = await this.#withinScope([message], scope);
          return await this.#shown(visible);
        }
        if (Date.now() >= until) await this.#endForeign(message, 'stopped');
        await notifications.publish(database, stopTopic(messageId));
        await pause(STOP_WAIT_MS / 10, [wake.signal]);
      } finally {
        unsubscribe();
      }
    }
  }

  /** Ends messages whose process died, and returns their number. */
  async reap(): Promise<number> {
    const suspects = await this.#lines.suspects(this.#instanceId);
    const abandoned = suspects.filter((message) => !this.#live.has(message.id));
    for (const message of abandoned) await this.#endForeign(message, 'failed');
    await this.#lines.removeOld();
    return abandoned.length;
  }

  /** Gives running answers a grace period, then ends them; new questions are refused. */
  async close(): Promise<void> {
    this.#closing = true;
    const finished = new AbortController();
    const all = Promise.all(this.#running).finally(() => finished.abort());
    await Promise.race([all, pause(CLOSE_WAIT_MS, [finished.signal])]);
    for (const live of this.#live.values()) live?.stop('shutdown');
    await Promise.all(this.#running);
  }

  async #run(live: LiveAnswer, exchange: Exchange, engine: AnswerEngine, startedAt: number): Promise<void> {
    const { notifications, metrics, logger } = this.#deps;
    const { chat, query, earlier } = exchange;
    const scope = scopeOfChat(chat);
    const retrieve = async (text: string, limit: number) => {
      const found = await this.#retrieve(chat, scope, text, limit, live.signal);
      const documentIds = found.hits.map((hit) => hit.documentId);
      if (scope !== null) await noteRetrieved(this.#deps.database, exchange.assistant.id, documentIds);
      return found;
    };
    const request = { question: query, instructions: chat.instructions, earlier, retrieve };
    const unsubscribe = notifications.subscribe(stopTopic(exchange.assistant.id), () => live.stop('stopped'));
    try {
      await runAnswer(live, request, { engine, metrics, logger, startedAt });
    } finally {
      unsubscribe();
    }
  }

  /** Stores the exchange. The answer is registered before its row is visible, so that the reaper does not end it. */
  async #store(request: ExchangeRequest): Promise<Exchange> {
    try {
      return await this.#insert(request);
    } catch (error) {
      // The other answer may have been left by a dead process.
      if (!isConflict(error) || (await this.reap()) === 0) throw error;
      return this.#insert(request);
    }
  }

  async #insert(request: ExchangeRequest): Promise<Exchange> {
    let announced = '';
    try {
      return await insertExchange(this.#deps.database, request, (messageId) => {
        announced = messageId;
        this.#live.set(messageId, null);
      });
    } catch (error) {
      this.#live.delete(announced);
      throw error;
    }
  }

  async #retrieve(
    chat: ChatRecord,
    scope: DocumentScope | null,
    query: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<SearchAnswer> {
    const own = chat.filter === null ? undefined : readStoredFilter(chat.filter, ['filter']);
    const filter = bothConditions(own, scope?.condition);
    const request = {
      query,
      limit,
      mode: 'hybrid',
      filter,
      highlight: false,
      withPlaces: true,
      explain: true,
    } as const;
    return this.#deps.search.search(chat.workspace_id, [chat.collection_id], request, null, signal);
  }

  /** Returns the exchange of an answer in its present state. */
  async #exchange(message: MessageRecord): Promise<Conversation> {
    const { workspace_id: workspaceId, chat_id: chatId } = message;
    const [chat, [user], assistant] = await Promise.all([
      this.#chats.findById(workspaceId, EVERY_CHAT, chatId),
      this.#chats.messagesBefore(workspaceId, chatId, message.id, 1),
      this.#shown(message),
    ]);
    if (chat === undefined || user === undefined) throw notFound();
    return { chat: toChat(chat), messages: [toMessage(user), assistant] };
  }

  async #withinScope(messages: MessageRecord[], scope: DocumentScope | null): Promise<MessageRecord[]> {
    const [first] = messages;
    return first === undefined ? [] : withinScope(this.#deps.database, first.workspace_id, messages, scope);
  }

  async #shown(message: MessageRecord): Promise<Message> {
    return toMessage(message, await this.#deletedDocuments(message));
  }

  #deletedDocuments(message: MessageRecord): Promise<ReadonlySet<string>> {
    return deletedDocuments(this.#deps.database, message.workspace_id, [message]);
  }

  /** Ends a message of another process with the text that it had stored; does nothing if it changed meanwhile. */
  async #endForeign(message: MessageRecord, status: 'failed' | 'stopped'): Promise<void> {
    const { database, notifications, metrics } = this.#deps;
    const exchange = await this.#exchange(message);
    const written = await this.#lines.written(message);
    const error = { type: INTERRUPTED, message: 'The answering process ended; the text is what it had written' };
    await database.transaction().execute(async (transaction) => {
      const content = { ...written, support: supportOf(written), error };
      const ended = await this.#lines.end(transaction, message, status, content);
      if (ended === undefined) return;
      await this.#lines.insert(transaction, message.id, [wholeState(exchange, toMessage(ended), ended.last_seq)]);
      await notifications.publish(transaction, messageTopic(message.id));
      metrics.countAnswer(status);
    });
  }
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.details[0]?.type === 'conflict';
