/** Chats: create, list, change, delete, restore, and their history. `answers.ts` answers questions. */
import type { Kysely, Updateable } from 'kysely';
import type { ChatRecord, ChatsTable, Database, MessageRecord } from '../../database/tables.ts';
import { auditResource } from '../../database/pending-audit.ts';
import type { Executor } from '../../database/transaction.ts';
import { checkBoth, deleted, notFound, valueError } from '../../errors.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { newId } from '../../shared/uuid.ts';
import { requireLiveCollection } from '../collections/live.ts';
import { ConfigurationRepository } from '../configurations/repository.ts';
import { scopeOf, type Principal } from '../keys/types.ts';
import { deletedDocuments } from './cited-documents.ts';
import { toMessage, type Message } from './conversation.ts';
import { ChatRepository } from './repository.ts';
import { withinScope } from './scoped-messages.ts';
import type { ChatChanges, ChatListFilter, NewChat } from './types.ts';
import type { FindViewer } from './viewer.ts';

export interface ChatServiceDeps {
  database: Kysely<Database>;
  findViewer: FindViewer;
}

export class ChatService {
  readonly #database: Kysely<Database>;
  readonly #chats: ChatRepository;
  readonly #findViewer: FindViewer;

  constructor({ database, findViewer }: ChatServiceDeps) {
    this.#database = database;
    this.#chats = new ChatRepository(database);
    this.#findViewer = findViewer;
  }

  /**
   * Creates a chat of the caller. The scope of a filtered token stays with the chat: it holds for every retrieval, also
   * for questions of other callers.
   */
  async create(workspaceId: string, principal: Principal, input: NewChat): Promise<ChatRecord> {
    const id = newId();
    auditResource('chat', id);
    const { keyId, collectionIds, token } = principal;
    const scope = scopeOf(principal);
    const collectionId = input.collection_id;
    const reachable = collectionIds === null || collectionIds.includes(collectionId);
    return this.#database.transaction().execute(async (transaction) => {
      const [, modelId] = await checkBoth(
        requireKnown(transaction, workspaceId, collectionId, reachable),
        resolveModel(transaction, workspaceId, input.modelId),
      );
      await requireLiveCollection(transaction, workspaceId, collectionId);
      return new ChatRepository(transaction).insert({
        id,
        workspace_id: workspaceId,
        collection_id: collectionId,
        model_id: modelId,
        title: input.title ?? null,
        instructions: input.instructions ?? null,
        filter: toJson(input.filter),
        metadata: JSON.stringify(input.metadata ?? {}),
        key_id: keyId,
        subject: token?.subject ?? null,
        scope_filter: toJson(scope?.filter),
        scope_id: scope?.id ?? null,
      });
    });
  }

  async findById(workspaceId: string, principal: Principal, chatId: string): Promise<ChatRecord | undefined> {
    return this.#chats.findById(workspaceId, await this.#findViewer(workspaceId, principal), chatId);
  }

  async findMessage(
    workspaceId: string,
    principal: Principal,
    chatId: string,
    messageId: string,
  ): Promise<MessageRecord | undefined> {
    const viewer = await this.#findViewer(workspaceId, principal);
    return this.#chats.findMessage(workspaceId, viewer, chatId, messageId);
  }

  async list(
    workspaceId: string,
    principal: Principal,
    filter: ChatListFilter,
    query: ListQuery,
  ): Promise<ListPage<ChatRecord>> {
    return this.#chats.list(workspaceId, await this.#findViewer(workspaceId, principal), filter, query);
  }

  async history(
    workspaceId: string,
    principal: Principal,
    chatId: string,
    query: ListQuery,
  ): Promise<ListPage<Message>> {
    const viewer = await this.#findViewer(workspaceId, principal);
    const page = await this.#chats.history(workspaceId, viewer, chatId, query);
    const shown = await withinScope(this.#database, workspaceId, page.items, scopeOf(principal));
    const gone = await deletedDocuments(this.#database, workspaceId, shown);
    return { ...page, items: shown.map((message) => toMessage(message, gone)) };
  }

  async update(workspaceId: string, principal: Principal, chatId: string, changes: ChatChanges): Promise<ChatRecord> {
    const viewer = await this.#findViewer(workspaceId, principal);
    return this.#database.transaction().execute(async (transaction) => {
      const chats = new ChatRepository(transaction);
      const update: Updateable<ChatsTable> = {};
      if (changes.modelId !== undefined) {
        update.model_id = await resolveModel(transaction, workspaceId, changes.modelId);
      }
      const current = await chats.lock(workspaceId, viewer, chatId);
      if (current === undefined) throw notFound();
      if (current.deleted_at !== null) throw deleted('The chat is deleted', { chatId });
      if (changes.title !== undefined) update.title = changes.title;
      if (changes.instructions !== undefined) update.instructions = changes.instructions;
      if (changes.filter !== undefined) update.filter = toJson(changes.filter);
      if (changes.metadata !== undefined) update.metadata = JSON.stringify(changes.metadata);
      return found(await chats.update(workspaceId, viewer, chatId, update));
    });
  }

  /** Deletes softly and keeps the history; repeated calls return the same record. `purge` erases chat and history. */
  async remove(workspaceId: string, principal: Principal, chatId: string, purge: boolean): Promise<ChatRecord> {
    const viewer = await this.#findViewer(workspaceId, principal);
    return this.#database.transaction().execute(async (transaction) => {
      const chats = new ChatRepository(transaction);
      const current = found(await chats.lock(workspaceId, viewer, chatId));
      if (purge) {
        // Messages and lines are deleted with the chat; a running answer finds its message gone and ends.
        await chats.erase(workspaceId, viewer, chatId);
        return { ...current, deleted_at: current.deleted_at ?? new Date() };
      }
      if (current.deleted_at !== null) return current;
      return found(await chats.update(workspaceId, viewer, chatId, { deleted_at: new Date() }));
    });
  }

  async undelete(workspaceId: string, principal: Principal, chatId: string): Promise<ChatRecord> {
    const viewer = await this.#findViewer(workspaceId, principal);
    return this.#database
      .transaction()
      .execute(async (transaction) =>
        found(await new ChatRepository(transaction).update(workspaceId, viewer, chatId, { deleted_at: null })),
      );
  }
}

function found(record: ChatRecord | undefined): ChatRecord {
  if (record === undefined) throw notFound();
  return record;
}

const toJson = (filter: Record<string, unknown> | null | undefined): string | null =>
  filter === null || filter === undefined ? null : JSON.stringify(filter);

async function requireKnown(executor: Executor, workspaceId: string, id: string, reachable: boolean): Promise<void> {
  const found = await executor
    .selectFrom('collections')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined || !reachable) {
    throw valueError(['body', 'collection_id'], 'there is no such collection', id);
  }
}

/** Returns the id of the named model, which must belong to the workspace, or of the workspace's default. */
async function resolveModel(executor: Executor, workspaceId: string, modelId: string | undefined): Promise<string> {
  const configurations = new ConfigurationRepository(executor);
  if (modelId === undefined) {
    const model = (await configurations.defaults(workspaceId)).get('model');
    if (model === undefined) throw valueError(['body', 'modelId'], 'there is no default model');
    return model.id;
  }
  const [model] = await configurations.findMany(workspaceId, [modelId]);
  if (model?.role !== 'model') throw valueError(['body', 'modelId'], 'there is no such model', modelId);
  return model.id;
}
