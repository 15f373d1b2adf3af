/** SQL over chats and their messages. Every statement filters by workspace and applies no business rule. */
import { sql, type Insertable, type Updateable } from 'kysely';
import type { ChatMessagesTable, ChatRecord, ChatsTable, MessageRecord } from '../../database/tables.ts';
import { fetchPage } from '../../database/fetch-page.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import type { ChatListFilter } from './types.ts';

export class ChatRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  insert(chat: Insertable<ChatsTable>): Promise<ChatRecord> {
    return this.#executor.insertInto('chats').values(chat).returningAll().executeTakeFirstOrThrow();
  }

  /** Returns a chat, also a deleted one. */
  findById(workspaceId: string, chatId: string): Promise<ChatRecord | undefined> {
    return this.#executor
      .selectFrom('chats')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', chatId)
      .executeTakeFirst();
  }

  lock(workspaceId: string, chatId: string): Promise<ChatRecord | undefined> {
    return this.#executor
      .selectFrom('chats')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', chatId)
      .forUpdate()
      .executeTakeFirst();
  }

  list(workspaceId: string, filter: ChatListFilter, query: ListQuery): Promise<ListPage<ChatRecord>> {
    let base = this.#executor.selectFrom('chats').where('workspace_id', '=', workspaceId);
    if (filter.includeDeleted !== true) base = base.where('deleted_at', 'is', null);
    if (filter.collectionId !== undefined) base = base.where('collection_id', '=', filter.collectionId);
    const { allowed } = filter;
    if (allowed !== null) base = base.where('collection_id', '=', (eb) => eb.fn.any(eb.val([...allowed])));
    if (filter.scopeId !== undefined && filter.scopeId !== null) base = base.where('scope_id', '=', filter.scopeId);
    const columns = ['metadata', 'filter', 'scope_filter', 'instructions'];
    return fetchPage(base.selectAll(), query, { executor: this.#executor, columns });
  }

  update(workspaceId: string, chatId: string, changes: Updateable<ChatsTable>): Promise<ChatRecord | undefined> {
    return this.#executor
      .updateTable('chats')
      .set({ ...changes, modified_at: sql<Date>`now()` })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', chatId)
      .returningAll()
      .executeTakeFirst();
  }

  async erase(workspaceId: string, chatId: string): Promise<void> {
    await this.#executor.deleteFrom('chats').where('workspace_id', '=', workspaceId).where('id', '=', chatId).execute();
  }

  insertMessages(messages: readonly Insertable<ChatMessagesTable>[]): Promise<MessageRecord[]> {
    return this.#executor
      .insertInto('chat_messages')
      .values([...messages])
      .returningAll()
      .execute();
  }

  findMessage(workspaceId: string, chatId: string, messageId: string): Promise<MessageRecord | undefined> {
    return this.#messages(workspaceId, chatId).selectAll().where('id', '=', messageId).executeTakeFirst();
  }

  findStreaming(workspaceId: string, chatId: string): Promise<MessageRecord | undefined> {
    return this.#messages(workspaceId, chatId).selectAll().where('status', '=', 'streaming').executeTakeFirst();
  }

  /** Returns the latest messages before a message, newest first. */
  messagesBefore(workspaceId: string, chatId: string, messageId: string, limit: number): Promise<MessageRecord[]> {
    return this.#messages(workspaceId, chatId)
      .selectAll()
      .where('id', '<', messageId)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Returns messages, by default in the order of the conversation. */
  history(workspaceId: string, chatId: string, query: ListQuery): Promise<ListPage<MessageRecord>> {
    return fetchPage(this.#messages(workspaceId, chatId).selectAll(), { ...query, order: query.order ?? 'asc' });
  }

  #messages(workspaceId: string, chatId: string) {
    return this.#executor
      .selectFrom('chat_messages')
      .where('workspace_id', '=', workspaceId)
      .where('chat_id', '=', chatId);
  }
}
