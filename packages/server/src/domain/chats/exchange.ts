/** Stores a question with its empty answer, if the chat accepts a question now. */
import type { Kysely } from 'kysely';
import type { ChatRecord, Database, MessageRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { conflict, deleted, notFound } from '../../errors.ts';
import { newId } from '../../shared/uuid.ts';
import { requireLiveCollection } from '../collections/live.ts';
import type { EarlierExchange } from './answer-engine.ts';
import { EMPTY_CONTENT, toChat, toMessage, type Conversation } from './conversation.ts';
import { EARLIER_MESSAGES, earlierExchanges } from './earlier-exchanges.ts';
import { LineStore } from './stream/lines.ts';
import { firstLine } from './stream/live-answer.ts';
import { ChatRepository } from './repository.ts';
import { documentsBehind, isHidden, scopeOfChat, withinScope } from './scoped-messages.ts';
import type { ChatViewer } from './viewer.ts';

export interface Exchange {
  chat: ChatRecord;
  assistant: MessageRecord;
  query: string;
  /** Oldest first. */
  earlier: EarlierExchange[];
  state: Conversation;
}

export interface ExchangeRequest {
  workspaceId: string;
  viewer: ChatViewer;
  chatId: string;
  query: string;
  instanceId: string | null;
}

const TITLE_LENGTH = 80;

/** Calls `announce` with the id of the answer before its row is visible to other processes. */
export function insertExchange(
  database: Kysely<Database>,
  { workspaceId, viewer, chatId, query, instanceId }: ExchangeRequest,
  announce: (messageId: string) => void,
): Promise<Exchange> {
  return database.transaction().execute(async (transaction) => {
    const chats = new ChatRepository(transaction);
    const chat = await lockReady(transaction, workspaceId, viewer, chatId);
    const both = { workspace_id: workspaceId, chat_id: chatId };
    const userId = newId();
    const assistantId = newId();
    announce(assistantId);
    const question = { ...EMPTY_CONTENT, parts: [{ type: 'text', text: query }] };
    const empty = JSON.stringify(EMPTY_CONTENT);
    const scope = scopeOfChat(chat);
    const stored = await chats.messagesBefore(workspaceId, chatId, userId, EARLIER_MESSAGES);
    const before = (await withinScope(transaction, workspaceId, stored, scope)).filter((each) => !isHidden(each));
    const retrieved = scope === null ? null : documentsBehind(before);
    const inserted = await chats.insertMessages([
      { ...both, id: userId, role: 'user', status: 'done', content: JSON.stringify(question), finished_at: new Date() },
      {
        ...both,
        id: assistantId,
        role: 'assistant',
        status: 'streaming',
        content: empty,
        instance_id: instanceId,
        retrieved,
      },
    ]);
    const [user, assistant] = [userId, assistantId].map((id) => inserted.find((message) => message.id === id));
    const updated = await chats.update(workspaceId, viewer, chatId, {
      message_count: chat.message_count + inserted.length,
      title: chat.title ?? titleOf(query),
    });
    if (user === undefined || assistant === undefined || updated === undefined) throw notFound();
    const state: Conversation = { chat: toChat(updated), messages: [toMessage(user), toMessage(assistant)] };
    await new LineStore(database).insert(transaction, assistantId, [firstLine(state)]);
    return { chat: updated, assistant, query, earlier: earlierExchanges(before.toReversed()), state };
  });
}

/** Locks the chat until the end of the transaction; throws 404 or 409 if it accepts no question now. */
async function lockReady(
  transaction: Executor,
  workspaceId: string,
  viewer: ChatViewer,
  chatId: string,
): Promise<ChatRecord> {
  const chats = new ChatRepository(transaction);
  const chat = await requireUsable(transaction, await chats.lock(workspaceId, viewer, chatId));
  const streaming = await chats.findStreaming(workspaceId, chatId);
  if (streaming !== undefined) throw conflict('The chat is answering another message', { messageId: streaming.id });
  return chat;
}

/** Returns the chat; throws if it or its collection is deleted. */
export async function requireUsable(executor: Executor, chat: ChatRecord | undefined): Promise<ChatRecord> {
  if (chat === undefined) throw notFound();
  if (chat.deleted_at !== null) throw deleted('The chat is deleted', { chatId: chat.id });
  await requireLiveCollection(executor, chat.workspace_id, chat.collection_id);
  return chat;
}

/** Returns the beginning of the first question, cut at a word boundary. */
function titleOf(query: string): string {
  const line = query.trim().replaceAll(/\s+/gu, ' ');
  if (line === '' || line.length <= TITLE_LENGTH) return line === '' ? query : line;
  const cut = line.slice(0, TITLE_LENGTH).replace(/[\ud800-\udbff]$/u, '');
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`;
}
