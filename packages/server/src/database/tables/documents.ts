/** Documents, their chunks, and vectors of documents that are not ready yet. */
import type { ContentWarning } from '@quire/blocks/content-warning';
import type { ColumnType, Generated } from 'kysely';
import type { BigIntKey, DefaultedJson, Json, NullableTimestamp, Timestamp } from './columns.ts';

export type DocumentStatus = 'indexing' | 'ready' | 'failed';
export type DocumentStage = 'queued' | 'parsing' | 'chunking' | 'embedding' | 'writing';

export interface DocumentsTable {
  id: string;
  key: BigIntKey;
  workspace_id: string;
  collection_id: string;
  parent_id: string | null;
  name: string;
  format: string;
  content_type: string;
  size_bytes: ColumnType<string, number, number>;
  sha256: string;
  metadata: DefaultedJson<Record<string, unknown>>;
  status: DocumentStatus;
  stage: DocumentStage | null;
  progress: Generated<number>;
  error_type: string | null;
  error_message: string | null;
  warnings: DefaultedJson<ContentWarning[]>;
  language: string | null;
  page_count: number | null;
  /** Title of the searchable content; see `documentTitle`. */
  title: string | null;
  chunk_count: Generated<number>;
  revision: Generated<number>;
  searchable_revision: number | null;
  content_id: string;
  searchable_content_id: string | null;
  /** Set by a trigger: size of the searchable content while a newer one is not searchable. */
  kept_bytes: ColumnType<string, never, never>;
  is_archive: Generated<boolean>;
  attempt_token: string | null;
  attempts: Generated<number>;
  deadline_at: NullableTimestamp;
  created_at: Timestamp;
  modified_at: Timestamp;
  ready_at: NullableTimestamp;
  deleted_at: NullableTimestamp;
  /** Set by a trigger: id of the last transaction that changed the document while it was searchable. */
  changed_in: ColumnType<string, never, never>;
}

export interface ChunksTable {
  key: BigIntKey;
  workspace_id: string;
  collection_id: string;
  document_id: string;
  revision: number;
  generation: number;
  ordinal: number;
  id: string;
  text: string;
  headings: string[];
  block_ids: string[];
  boxes: Json<{ page: number; bbox: [number, number, number, number] }[]>;
  /** See `encodeLineMap`. */
  line_map: ColumnType<number[] | null, number[] | null | undefined, never>;
  token_count: number;
  content_hash: Buffer;
  terms: string;
  embedding: Buffer | null;
}

export interface PartialEmbeddingsTable {
  workspace_id: string;
  document_id: string;
  model: string;
  content_hash: Buffer;
  embedding: Buffer;
}
