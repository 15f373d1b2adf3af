/**
 * Answering: takes a question, runs the chat's model in this process, and sees to it that the message ends whatever
 * happens. What a client does with the stream makes no difference to the answer, unless it asks for a stop.
 */
import type { Line } from '@quire/diffcp';
import type { Kysely } from 'kysely';
import type { Notifications } from '../../database/notifications.ts';
import type { ChatRecord, Database, MessageRecord, MessageStatus } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { pause } from '../../shared/pause.ts';
import { readDocumentFilter } from '../documents/filter.ts';
import type { SearchService } from '../search/service.ts';
import { toMessage, type Conversation } from './conversation.ts';
import { insertExchange, type Exchange, type ExchangeRequest } from './exchange.ts';
import { extractiveModel } from './extractive/extractive-model.ts';
import { LineStore, messageTopic, stopTopic } from './lines.ts';
import { LiveAnswer } from './live-answer.ts';
import type { ChatModel } from './model.ts';
import { ChatRepository } from './repository.ts';
import { INTERRUPTED, tailStream, wholeState } from './stream-tail.ts';

export interface AnswerMetrics {
  countAnswer(status: MessageStatus): void;
  countRetrieval(): void;
  observeFirstLine(seconds: number): void;
}

export interface AnswersDeps {
  database: Kysely<Database>;
  notifications: Notifications;
  search: SearchService;
  metrics: AnswerMetrics;
  logger: Logger;
  model?: ChatModel;
}

const STOP_WAIT_MS = 5_000;
const CLOSE_WAIT_MS = 3_000;

export class Answers {
  readonly #deps: AnswersDeps;
  readonly #lines: LineStore;
  readonly #chats: ChatRepository;
  /** By message id; also those that are just being written down. */
  readonly #live = new Map<string, LiveAnswer | null>();
  readonly #running = new Set<Promise<void>>();
  #instanceId: string | null = null;

  constructor(deps: AnswersDeps) {
    this.#deps = deps;
    this.#lines = new LineStore(deps.database);
    this.#chats = new ChatRepository(deps.database);
  }

  /** Before the first question: who answers, for the others to see whether it still lives. */
  start(instanceId: string): void {
    this.#instanceId = instanceId;
  }

  /** Writes the question down and begins to answer; 409 while the chat answers another one. */
  async ask(workspaceId: string, chatId: string, query: string): Promise<LiveAnswer> {
    const startedAt = performance.now();
    if ((await this.#chats.findStreaming(workspaceId, chatId)) !== undefined) await this.reap();
    const exchange = await this.#writeDown({ workspaceId, chatId, query, instanceId: this.#instanceId });
    const live = new LiveAnswer(exchange.state, (lines, message) => this.#store(lines, message));
    this.#live.set(exchange.assistant.id, live);
    const running = this.#run(live, exchange, startedAt).finally(() => {
      this.#live.delete(exchange.assistant.id);
      this.#running.delete(running);
    });
    this.#running.add(running);
    return live;
  }

  /** The exchange as it is stored, after its end. */
  async stored(live: LiveAnswer): Promise<Conversation> {
    const { chat, messages } = live.state;
    const message = await this.#lines.message(messages[1].id);
    return { chat, messages: [messages[0], message === undefined ? messages[1] : toMessage(message)] };
  }

  /** The lines after one, of an answer in any process. */
  tail(messageId: string, after: number, signal: AbortSignal): AsyncGenerator<Line> {
    const { notifications } = this.#deps;
    const exchange = (message: MessageRecord) => this.#exchange(message);
    return tailStream({ lines: this.#lines, notifications, exchange }, messageId, after, signal);
  }

  /** Ends the answer where it is, in whatever process it runs; one that has ended stays as it is. */
  async stop(messageId: string): Promise<MessageRecord> {
    const { database, notifications } = this.#deps;
    const until = Date.now() + STOP_WAIT_MS;
    for (;;) {
      const wake = new AbortController();
      const unsubscribe = notifications.subscribe(messageTopic(messageId), () => wake.abort());
      try {
        const message = await this.#lines.message(messageId);
        if (message === undefined) throw notFound();
        if (message.status !== 'streaming') return message;
        if (Date.now() >= until) await this.#endForeign(message, 'stopped');
        await notifications.publish(database, stopTopic(messageId));
        await pause(STOP_WAIT_MS / 10, [wake.signal]);
      } finally {
        unsubscribe();
      }
    }
  }

  /** Ends what nobody answers any more; returns how many. */
  async reap(): Promise<number> {
    const suspects = await this.#lines.suspects(this.#instanceId);
    const abandoned = suspects.filter((message) => !this.#live.has(message.id));
    for (const message of abandoned) await this.#endForeign(message, 'failed');
    await this.#lines.removeOld();
    return abandoned.length;
  }

  /** Lets answers finish for a moment, then ends them. */
  async close(): Promise<void> {
    const finished = new AbortController();
    const all = Promise.all(this.#running).finally(() => finished.abort());
    await Promise.race([all, pause(CLOSE_WAIT_MS, [finished.signal])]);
    for (const live of this.#live.values()) live?.stop('shutdown');
    await Promise.all(this.#running);
  }

  async #run(
    live: LiveAnswer,
    { chat, assistant, previousQuestion, query }: Exchange,
    startedAt: number,
  ): Promise<void> {
    const { notifications, metrics, logger, model = extractiveModel } = this.#deps;
    const firstLineMs = elapsed(startedAt);
    metrics.observeFirstLine(firstLineMs / 1000);
    const unsubscribe = notifications.subscribe(stopTopic(assistant.id), () => live.stop('stopped'));
    const usage = { inputTokens: 0, outputTokens: 0, retrievals: 0, firstLineMs, totalMs: 0 };
    let ending: Ending = { status: 'done', error: null };
    try {
      const retrieve = (text: string, limit: number) => {
        usage.retrievals += 1;
        metrics.countRetrieval();
        return this.#retrieve(chat, text, limit, live.signal);
      };
      const answering = model.answer({ question: query, previousQuestion, retrieve }, live);
      Object.assign(usage, await Promise.race([answering, rejectWhenStopped(live.signal)]));
    } catch (error) {
      ending = endingOf(live.signal);
      if (!live.signal.aborted) logger.error({ err: error, messageId: assistant.id }, 'an answer failed');
    }
    unsubscribe();
    settleTools(live.state);
    usage.totalMs = elapsed(startedAt);
    metrics.countAnswer(ending.status);
    await live.end(ending.status, { usage, error: ending.error }).catch((error: unknown) => {
      // The reaper ends it: it streams, and is not among those at work here.
      logger.error({ err: error, messageId: assistant.id }, 'the end of an answer could not be stored');
    });
  }

  /** The answer is known as one of this process from before it can be seen, lest the reaper takes it for abandoned. */
  async #writeDown(request: ExchangeRequest): Promise<Exchange> {
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

  async #retrieve(chat: ChatRecord, query: string, limit: number, signal: AbortSignal) {
    const filter = chat.filter === null ? undefined : readDocumentFilter(chat.filter, ['filter']);
    const request = { query, limit, mode: 'hybrid', filter, highlight: false, explain: false } as const;
    return (await this.#deps.search.search(chat.workspace_id, [chat.collection_id], request, null, signal)).hits;
  }

  #store(lines: readonly Line[], message: Conversation['messages'][1]): Promise<boolean> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const stored = await this.#lines.store(transaction, lines, message);
      if (stored) await this.#deps.notifications.publish(transaction, messageTopic(message.id));
      return stored;
    });
  }

  async #exchange(message: MessageRecord): Promise<{ chat: ChatRecord; user: MessageRecord }> {
    const { workspace_id: workspaceId, chat_id: chatId } = message;
    const [chat, [user]] = await Promise.all([
      this.#chats.findById(workspaceId, chatId),
      this.#chats.messagesBefore(workspaceId, chatId, message.id, 1),
    ]);
    if (chat === undefined || user === undefined) throw notFound();
    return { chat, user };
  }

  /** Ends a message that another process began, with what it had stored; nothing when it moved on meanwhile. */
  async #endForeign(message: MessageRecord, status: 'failed' | 'stopped'): Promise<void> {
    const { database, notifications, metrics } = this.#deps;
    const exchange = await this.#exchange(message);
    const error = { type: INTERRUPTED, message: 'The process that was answering ended; this is what it had written' };
    await database.transaction().execute(async (transaction) => {
      const ended = await this.#lines.end(transaction, message, status, { ...message.content, error });
      if (ended === undefined) return;
      await this.#lines.insert(transaction, message.id, [wholeState(exchange, ended, ended.last_seq)]);
      await notifications.publish(transaction, messageTopic(message.id));
      metrics.countAnswer(status);
    });
  }
}

/** A stop is obeyed at once, also while the model waits for something. */
function rejectWhenStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void => reject(new Error(`the answer was ended: ${String(signal.reason)}`));
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}

interface Ending {
  status: MessageStatus;
  error: { type: string; message: string } | null;
}

function endingOf(signal: AbortSignal): Ending {
  if (signal.reason === 'stopped') return { status: 'stopped', error: null };
  if (signal.aborted) return { status: 'failed', error: { type: INTERRUPTED, message: 'The service was stopped' } };
  return { status: 'failed', error: { type: 'internal', message: 'The answer failed; the log says why' } };
}

/** A call that was under way when the answer ended has failed. */
function settleTools(state: Conversation): void {
  for (const part of state.messages[1].parts) {
    if (part.type === 'tool' && part.status === 'running') part.status = 'failed';
  }
}

const elapsed = (since: number): number => Math.round((performance.now() - since) * 10) / 10;
