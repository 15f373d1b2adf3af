/**
 * Answers single questions over any collections, with citations that were checked as those of chats are. Nothing is
 * stored: neither a chat nor messages.
 */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { conflict } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { newId } from '../../shared/uuid.ts';
import { ConfigurationRepository } from '../configurations/repository.ts';
import type { DocumentCondition } from '../documents/repository.ts';
import type { SearchService } from '../search/service.ts';
import { runAnswer, type AnswerMetrics } from './answer-run.ts';
import { EMPTY_CONTENT, type Conversation, type Message } from './conversation.ts';
import type { AnswerEngines } from './engines.ts';
import { LiveAnswer } from './stream/live-answer.ts';

export interface SingleAnswersDeps {
  database: Kysely<Database>;
  search: Pick<SearchService, 'search'>;
  engines: Pick<AnswerEngines, 'open'>;
  metrics: AnswerMetrics;
  logger: Logger;
}

export interface SingleQuestion {
  question: string;
  /** Collections to search; null for all that the key may read. */
  collectionIds: readonly string[] | null;
  /** Collections that the caller's key is limited to; null for all. */
  allowed: readonly string[] | null;
  filter?: DocumentCondition | undefined;
}

export interface SingleAnswer {
  message: Message;
  /** Collections of the documents that were found, by the id of the document. */
  collectionOf: ReadonlyMap<string, string>;
}

export class SingleAnswers {
  readonly #deps: SingleAnswersDeps;

  constructor(deps: SingleAnswersDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the answer when it has ended; after `maxMs`, or when the signal aborts, with the text written so far.
   * Throws 409 if the default model cannot answer. The caller has checked that the collections exist.
   */
  async ask(workspaceId: string, asked: SingleQuestion, maxMs: number, signal: AbortSignal): Promise<SingleAnswer> {
    const startedAt = performance.now();
    const { question, collectionIds, allowed, filter } = asked;
    const { search, engines, metrics, logger } = this.#deps;
    const collectionOf = new Map<string, string>();
    const retrieve = async (query: string, limit: number) => {
      const request = {
        query,
        limit,
        mode: 'hybrid',
        filter,
        highlight: false,
        withLines: true,
        explain: true,
      } as const;
      const found = await search.search(workspaceId, collectionIds, request, allowed, live.signal, ['collections']);
      for (const { documentId, collectionId } of found.hits) collectionOf.set(documentId, collectionId);
      return found;
    };
    const modelId = await this.#defaultModel(workspaceId);
    const engine = await engines.open({ workspace_id: workspaceId, model_id: modelId });
    const live = new LiveAnswer(emptyConversation(workspaceId, modelId, question), async () => true);
    const stop = (): void => live.stop('stopped');
    const timer = setTimeout(stop, maxMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await runAnswer(
        live,
        { question, instructions: null, earlier: [], retrieve },
        { engine, metrics, logger, startedAt },
      );
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
    return { message: live.state.messages[1], collectionOf };
  }

  async #defaultModel(workspaceId: string): Promise<string> {
    const model = (await new ConfigurationRepository(this.#deps.database).defaults(workspaceId)).get('model');
    if (model === undefined) throw conflict('The workspace has no default model');
    return model.id;
  }
}

/** The exchange as the engines see it; its ids are stored nowhere. */
function emptyConversation(workspaceId: string, modelId: string, question: string): Conversation {
  const now = new Date().toISOString();
  const id = newId();
  const chat = {
    id,
    workspaceId,
    collection_id: id,
    title: null,
    modelId,
    instructions: null,
    filter: null,
    metadata: {},
    messageCount: 2,
    createdAt: now,
    modifiedAt: now,
    deletedAt: null,
  };
  const message = { ...structuredClone(EMPTY_CONTENT), chatId: id, createdAt: now };
  return {
    chat,
    messages: [
      { ...message, id: newId(), role: 'user', status: 'done', parts: [{ type: 'text', text: question }] },
      { ...structuredClone(message), id: newId(), role: 'assistant', status: 'streaming' },
    ],
  };
}
