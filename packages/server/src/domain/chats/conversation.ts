/**
 * Chats and messages in the shape of the API. Stream lines are differences of this shape and are stored, so it is built
 * here and not in a presenter, field by field, so that a new column cannot leak.
 */
import type { ChatRecord, MessageContent, MessageRecord, MessageStatus } from '../../database/tables.ts';
import { supportOf } from './sentence-support.ts';

export interface Chat {
  id: string;
  workspaceId: string;
  collection_id: string;
  title: string | null;
  modelId: string;
  instructions: string | null;
  filter: Record<string, unknown> | null;
  metadata: Record<string, unknown>;
  messageCount: number;
  createdAt: string;
  modifiedAt: string;
  deletedAt: string | null;
}

export interface Message extends Required<MessageContent> {
  id: string;
  chatId: string;
  role: 'user' | 'assistant';
  status: MessageStatus;
  createdAt: string;
}

/** The state that a stream transmits: one exchange. */
export interface Conversation {
  chat: Chat;
  messages: [user: Message, assistant: Message];
}

export function toChat(record: ChatRecord): Chat {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    collection_id: record.collection_id,
    title: record.title,
    modelId: record.model_id,
    instructions: record.instructions,
    filter: record.filter,
    metadata: record.metadata,
    messageCount: record.message_count,
    createdAt: record.created_at.toISOString(),
    modifiedAt: record.modified_at.toISOString(),
    deletedAt: record.deleted_at?.toISOString() ?? null,
  };
}

/** `deletedDocuments` holds the ids of cited documents that are deleted or purged. */
export function toMessage(record: MessageRecord, deletedDocuments: ReadonlySet<string> = new Set()): Message {
  const { parts, citations, support, droppedMarks = 0, confidence = null, usage, error } = record.content;
  const hasSupport = record.role === 'assistant' && record.status !== 'streaming';
  return {
    id: record.id,
    chatId: record.chat_id,
    role: record.role,
    status: record.status,
    parts,
    // Messages stored by earlier versions lack some fields.
    citations: citations.map((each) => ({
      ...each,
      collectionId: each.collectionId ?? null,
      blocks: each.blocks ?? [],
      documentDeleted: deletedDocuments.has(each.documentId),
    })),
    support: hasSupport ? (support ?? supportOf(record.content)) : [],
    droppedMarks,
    confidence,
    usage: usage === null ? null : { ...usage, firstTextMs: usage.firstTextMs ?? null },
    error,
    createdAt: record.created_at.toISOString(),
  };
}

export const EMPTY_CONTENT: Required<MessageContent> = {
  parts: [],
  citations: [],
  support: [],
  droppedMarks: 0,
  confidence: null,
  usage: null,
  error: null,
};
