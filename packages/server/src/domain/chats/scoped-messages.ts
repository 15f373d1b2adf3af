/**
 * Hides answers from filtered tokens. An answer is shown while every document that it is based on is in the scope:
 * those retrieved for it, those that it cites, and those of the earlier answers that the model has read.
 */
import { sql } from 'kysely';
import type { ChatRecord, MessageContent, MessageRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { documentScope, idsInScope, type DocumentScope } from '../documents/scope.ts';

const HIDDEN: Omit<MessageContent, 'usage'> = {
  parts: [],
  citations: [],
  support: [],
  droppedMarks: 0,
  confidence: null,
  error: {
    type: 'restricted',
    message: 'The answer is based on documents that are no longer within the filter of this token',
  },
};

/** Returns the filter of the token that made the chat; null if it had none. */
export const scopeOfChat = ({ scope_filter: filter }: Pick<ChatRecord, 'scope_filter'>): DocumentScope | null =>
  filter === null ? null : documentScope(filter, null);

/** Returns the ids of the documents that the messages are based on. */
export const documentsBehind = (messages: readonly Pick<MessageRecord, 'retrieved' | 'content'>[]): string[] => [
  ...new Set(
    messages.flatMap(({ retrieved, content }) => [
      ...(retrieved ?? []),
      ...content.citations.map((citation) => citation.documentId),
    ]),
  ),
];

/** Returns the messages; the content of those that the scope does not allow is replaced. */
export async function withinScope(
  executor: Executor,
  workspaceId: string,
  messages: MessageRecord[],
  scope: DocumentScope | null,
): Promise<MessageRecord[]> {
  if (scope === null) return messages;
  const visible = await idsInScope(executor, workspaceId, documentsBehind(messages), scope);
  return messages.map((message) =>
    documentsBehind([message]).every((id) => visible.has(id))
      ? message
      : { ...message, content: { ...message.content, ...HIDDEN } },
  );
}

export const isHidden = ({ content }: Pick<MessageRecord, 'content'>): boolean => content.error === HIDDEN.error;

/** Adds documents to those that an answer is based on. */
export async function noteRetrieved(
  executor: Executor,
  messageId: string,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0) return;
  await executor
    .updateTable('chat_messages')
    .set({
      retrieved: sql<string[]>`(
        select array_agg(distinct id)
        from unnest(coalesce(retrieved, '{}') || ${[...new Set(documentIds)]}::uuid[]) as all_ids(id))`,
    })
    .where('id', '=', messageId)
    .execute();
}
