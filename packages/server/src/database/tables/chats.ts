/** Chats, their messages, and the lines of answers that are being streamed. */
import type { ColumnType, Generated, RawBuilder } from 'kysely';
import type { DefaultedJson, Json, NullableTimestamp, Timestamp } from './columns.ts';

export interface ChatsTable {
  id: string;
  workspace_id: string;
  collection_id: string;
  model_id: string;
  title: string | null;
  instructions: string | null;
  filter: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  metadata: DefaultedJson<Record<string, unknown>>;
  /** Key that created the chat, also after its revocation; null if it is not known. */
  key_id: ColumnType<string | null, string, string>;
  /** Subject of the token that created the chat; null without one. */
  subject: ColumnType<string | null, string | null, never>;
  /** Filter of the token that made the chat; null if it had none. */
  scope_filter: ColumnType<Record<string, unknown> | null, string | null | undefined, never>;
  scope_id: ColumnType<string | null, string | null | undefined, never>;
  message_count: Generated<number>;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: NullableTimestamp;
}

export type MessageStatus = 'streaming' | 'done' | 'failed' | 'stopped';

/** Content of a message, as clients receive it. */
export interface MessageContent {
  parts: MessagePart[];
  citations: Citation[];
  /** The sentences of the answer, once it has ended; messages stored by earlier versions lack the field. */
  support?: SentenceSupport[];
  /** Number of marks of the model that were removed; messages stored by earlier versions lack the field. */
  droppedMarks?: number;
  /**
   * Probability (0..1) that the documents found answer the question; null in questions, without a judgement, and in
   * messages stored by earlier versions, which lack the field.
   */
  confidence?: number | null;
  usage: MessageUsage | null;
  error: { type: string; message: string } | null;
}

export type MessagePart =
  | { type: 'reasoning'; text: string }
  | {
      type: 'tool';
      /** One of `domain/chats/tools/registry.ts`. */
      name: string;
      input: Record<string, unknown>;
      status: 'running' | 'done' | 'failed';
      resultCount: number | null;
    }
  | { type: 'text'; text: string };

export interface Citation {
  /** Counts from 1. */
  index: number;
  /** Null in citations made by earlier versions. */
  collectionId: string | null;
  documentId: string;
  documentName: string;
  /** Whether the document was deleted or erased by the time the citation is read. */
  documentDeleted: boolean;
  /** Verbatim from the chunk. */
  snippet: string;
  chunkId: string;
  revision: number;
  headings: string[];
  boxes: { page: number; bbox: [number, number, number, number] }[];
  /** Ranges of the blocks that hold the snippet, in formats without pages. */
  blocks: { blockId: string; start?: number; end?: number }[];
  /** Range of the answer that it supports: `[start, end)` of a text part, in UTF-16 code units. */
  spans: CitedSpan[];
}

export interface CitedSpan {
  part: number;
  start: number;
  end: number;
  /** Kind of the value that the span names, in the lead of an answer; absent in other spans. */
  value?: 'date' | 'count' | 'measure' | 'money' | 'person' | 'place';
}

/** A sentence of an answer: `[start, end)` of a text part, in UTF-16 code units. */
export interface SentenceSupport {
  part: number;
  start: number;
  end: number;
  /** Whether a citation supports a part of it. */
  supported: boolean;
}

export interface MessageUsage {
  inputTokens: number;
  outputTokens: number;
  retrievals: number;
  /** Times from the request to the first line of the stream, to the first text of the answer, and to its end. */
  firstLineMs: number;
  /** Null when there was none. */
  firstTextMs: number | null;
  totalMs: number;
}

export interface ChatMessagesTable {
  id: string;
  workspace_id: string;
  chat_id: string;
  role: 'user' | 'assistant';
  status: MessageStatus;
  content: Json<MessageContent>;
  last_seq: Generated<number>;
  instance_id: string | null;
  /** Documents that the answer is based on; only in chats of filtered tokens. */
  retrieved: ColumnType<string[] | null, readonly string[] | null | undefined, string[] | RawBuilder<string[]>>;
  created_at: Timestamp;
  finished_at: NullableTimestamp;
}

export interface ChatLinesTable {
  message_id: string;
  seq: number;
  ops: Json<unknown[]>;
  created_at: Timestamp;
}
