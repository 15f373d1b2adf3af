/**
 * SQL over chats and their messages. Every statement filters by workspace; those that a request names a chat to also
 * take its viewer (`viewer.ts`). Statements without one belong to a chat that was read with it before.
 */
import { sql, type Insertable, type Updateable } from 'kysely';
import type { ChatMessagesTable, ChatRecord, ChatsTable, MessageRecord } from '../../database/tables.ts';
import { fetchPage } from '../../database/fetch-page.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import type { ChatListFilter } from './types.ts';
import { visibleTo, type ChatViewer } from './viewer.ts';

export class ChatRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  insert(chat: Insertable<ChatsTable>): Promise<ChatRecord> {
    return this.#executor.insertInto('chats').values(chat).returningAll().executeTakeFirstOrThrow();
  }

  /** Returns a chat, also a deleted one. */
  findById(workspaceId: string, viewer: ChatViewer, chatId: string): Promise<ChatRecord | undefined> {
    return this.#chats(workspaceId, viewer).selectAll().where('id', '=', chatId).executeTakeFirst();
  }

  lock(workspaceId: string, viewer: ChatViewer, chatId: string): Promise<ChatRecord | undefined> {
    return this.#chats(workspaceId, viewer).selectAll().where('id', '=', chatId).forUpdate().executeTakeFirst();
  }

  list(
    workspaceId: string,
    viewer: ChatViewer,
    filter: ChatListFilter,
    query: ListQuery,
  ): Promise<ListPage<ChatRecord>> {
    let base = this.#chats(workspaceId, viewer);
    if (filter.includeDeleted !== true) base = base.where('deleted_at', 'is', null);
    if (filter.collectionId !== undefined) base = base.where('collection_id', '=', filter.collectionId);
    const columns = ['metadata', 'filter', 'scope_filter', 'instructions'];
    return fetchPage(base.selectAll(), query, { executor: this.#executor, columns });
  }

  update(
    workspaceId: string,
    viewer: ChatViewer,
    chatId: string,
    changes: Updateable<ChatsTable>,
  ): Promise<ChatRecord | undefined> {
    return this.#executor
      .updateTable('chats')
      .set({ ...changes, modified_at: sql<Date>`now()` })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', chatId)
      .where(visibleTo(viewer))
      .returningAll()
      .executeTakeFirst();
  }

  async erase(workspaceId: string, viewer: ChatViewer, chatId: string): Promise<void> {
    await this.#executor
      .deleteFrom('chats')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', chatId)
      .where(visibleTo(viewer))
      .execute();
  }

  #chats(workspaceId: string, viewer: ChatViewer) {
    return this.#executor.selectFrom('chats').where('workspace_id', '=', workspaceId).where(visibleTo(viewer));
  }

  insertMessages(messages: readonly Insertable<ChatMessagesTable>[]): Promise<MessageRecord[]> {
    return this.#executor
      .insertInto('chat_messages')
      .values([...messages])
      .returningAll()
      .execute();
  }

  findMessage(
    workspaceId: string,
    viewer: ChatViewer,
    chatId: string,
    messageId: string,
  ): Promise<MessageRecord | undefined> {
    return this.#visibleMessages(workspaceId, viewer, chatId)
      .selectAll()
      .where('id', '=', messageId)
      .executeTakeFirst();
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
  history(workspaceId: string, viewer: ChatViewer, chatId: string, query: ListQuery): Promise<ListPage<MessageRecord>> {
    const messages = this.#visibleMessages(workspaceId, viewer, chatId).selectAll();
    return fetchPage(messages, { ...query, order: query.order ?? 'asc' });
  }

  #visibleMessages(workspaceId: string, viewer: ChatViewer, chatId: string) {
    const chat = this.#chats(workspaceId, viewer).select('id').where('id', '=', chatId);
    return this.#messages(workspaceId, chatId).where('chat_id', 'in', chat);
  }

  #messages(workspaceId: string, chatId: string) {
    return this.#executor
      .selectFrom('chat_messages')
      .where('workspace_id', '=', workspaceId)
      .where('chat_id', '=', chatId);
  }
}
