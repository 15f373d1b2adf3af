/** Removes what answers quote from documents that are purged: a purge is final, also in the history of chats. */
import type { Kysely, Transaction } from 'kysely';
import { supportOf } from './sentence-support.ts';
import type { Citation, Database, MessageContent, MessagePart } from '../../database/tables.ts';

export interface PurgedDocuments {
  workspaceId: string;
  collectionId: string;
  documentIds: readonly string[];
}

interface Range {
  start: number;
  end: number;
}

/** Replaces erased quoted text in a message. */
export const ERASED = '[erased]';
/** Minimum length of a snippet, in UTF-16 code units, whose other occurrences in the message are erased too. */
const MIN_QUOTE_LENGTH = 16;
const MESSAGES_PER_ROUND = 500;

/**
 * Erases quotes of the documents from all messages that have ended, and removes the stored stream lines of these
 * messages: a reader of the stream then receives the message as it is now. Returns the number of messages changed.
 */
export async function eraseQuotes(
  executor: Kysely<Database> | Transaction<Database>,
  { workspaceId, collectionId, documentIds }: PurgedDocuments,
): Promise<number> {
  const ids = new Set(documentIds);
  let count = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const messages = await executor
      .selectFrom('chat_messages')
      .innerJoin('chats', 'chats.id', 'chat_messages.chat_id')
      .select(['chat_messages.id', 'chat_messages.content'])
      .where('chat_messages.workspace_id', '=', workspaceId)
      .where('chats.collection_id', '=', collectionId)
      .where('chat_messages.role', '=', 'assistant')
      .where('chat_messages.status', '<>', 'streaming')
      .where('chat_messages.id', '>', after)
      .orderBy('chat_messages.id')
      .limit(MESSAGES_PER_ROUND)
      .execute();
    for (const { id, content } of messages) {
      const changed = withoutQuotes(content, ids);
      if (changed === content) continue;
      await executor
        .updateTable('chat_messages')
        .set({ content: JSON.stringify(changed) })
        .where('id', '=', id)
        .execute();
      await executor.deleteFrom('chat_lines').where('message_id', '=', id).execute();
      count += 1;
    }
    const last = messages.at(-1);
    if (last === undefined || messages.length < MESSAGES_PER_ROUND) return count;
    after = last.id;
  }
}

/** Returns the content without what it quotes from the documents; the same object when it quotes nothing. */
export function withoutQuotes(content: MessageContent, documentIds: ReadonlySet<string>): MessageContent {
  const erased = content.citations.filter(
    ({ documentId, documentName }) => documentIds.has(documentId) && documentName !== ERASED,
  );
  if (erased.length === 0) return content;
  const cuts = content.parts.map((part, at) => (part.type === 'text' ? rangesToErase(part.text, at, erased) : []));
  const parts = content.parts.map((part, at): MessagePart => {
    if (part.type === 'reasoning') return { ...part, text: ERASED };
    return part.type === 'text' ? { ...part, text: cut(part.text, cuts[at] ?? []) } : part;
  });
  const citations = content.citations.map((citation): Citation => {
    const spans = citation.spans.map(({ part, start, end }) => ({
      part,
      start: moved(start, cuts[part] ?? [], 'start'),
      end: moved(end, cuts[part] ?? [], 'end'),
    }));
    return erased.includes(citation)
      ? { ...citation, documentName: ERASED, snippet: '', headings: [], boxes: [], blocks: [], spans }
      : { ...citation, spans };
  });
  return { ...content, parts, citations, support: supportOf({ parts, citations }) };
}

/** Returns the parts of a text that rest on the citations or repeat their snippets, in order, without overlaps. */
function rangesToErase(text: string, part: number, citations: readonly Citation[]): Range[] {
  const ranges = citations.flatMap(({ spans, snippet }) => [
    ...spans.filter((span) => span.part === part).map(({ start, end }) => ({ start, end })),
    ...occurrences(text, snippet),
  ]);
  const merged: Range[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else if (end > start) merged.push({ start, end });
  }
  return merged;
}

function occurrences(text: string, snippet: string): Range[] {
  const found: Range[] = [];
  if (snippet.length < MIN_QUOTE_LENGTH) return found;
  for (let at = text.indexOf(snippet); at !== -1; at = text.indexOf(snippet, at + snippet.length)) {
    found.push({ start: at, end: at + snippet.length });
  }
  return found;
}

function cut(text: string, ranges: readonly Range[]): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of ranges) {
    kept += text.slice(from, start) + ERASED;
    from = end;
  }
  return kept + text.slice(from);
}

/** Returns where an offset is after the cuts; one inside of a cut moves to that edge of the placeholder. */
function moved(offset: number, ranges: readonly Range[], edge: 'start' | 'end'): number {
  let shift = 0;
  for (const { start, end } of ranges) {
    if (offset < start || (edge === 'end' && offset === start)) break;
    if (offset < end || (edge === 'end' && offset === end)) {
      return start + shift + (edge === 'end' ? ERASED.length : 0);
    }
    shift += ERASED.length - (end - start);
  }
  return offset + shift;
}
