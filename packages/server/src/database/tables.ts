/** The tables as kysely sees them; the truth is `migrations/`. */
import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
/** Written as a JSON string (pg would turn an array into a PostgreSQL array), read as a value. */
type Json<T> = ColumnType<T, string, string>;
type DefaultedJson<T> = ColumnType<T, string | undefined, string>;
type BigIntKey = ColumnType<string, never, never>;

export interface SettingsTable {
  name: string;
  value: Json<unknown>;
  modified_at: Timestamp;
}

export interface WorkspacesTable {
  id: string;
  name: string;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: NullableTimestamp;
}

export type Permission = 'read' | 'write' | 'admin';

export interface ApiKeysTable {
  id: string;
  workspace_id: string | null;
  name: string;
  permission: Permission | 'root';
  collection_ids: string[] | null;
  key_hash: Buffer;
  key_hint: string;
  expires_at: NullableTimestamp;
  last_used_at: NullableTimestamp;
  created_at: Timestamp;
}

export type ConfigurationKind = 'models' | 'embedders' | 'parsers';
export type ConfigurationRole = 'model' | 'parser' | 'dense_embedder' | 'sparse_embedder';

export interface ConfigurationsTable {
  id: string;
  workspace_id: string;
  kind: ConfigurationKind;
  role: ConfigurationRole;
  name: string;
  config: Json<Record<string, unknown>>;
  secrets: DefaultedJson<Record<string, string>>;
  is_default: Generated<boolean>;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: NullableTimestamp;
}

export interface Chunking {
  maxTokens: number;
  overlapTokens: number;
}

export interface CollectionsTable {
  id: string;
  workspace_id: string;
  name: string;
  description: string | null;
  parser_id: string;
  embedder_id: string;
  sparse_embedder_id: string;
  chunking: Json<Chunking>;
  metadata: DefaultedJson<Record<string, unknown>>;
  live_generation: Generated<number>;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: NullableTimestamp;
}

/** An outside provider's embedding model as an index was begun with; its configuration may have changed since. */
export interface RemoteEmbeddingModel {
  provider: 'provider_a' | 'provider_b';
  model: string;
  baseUrl?: string | undefined;
  /** Asked of the provider; without it the model's own. */
  dimensions?: number | undefined;
}

export interface IndexRecipe {
  parserId: string;
  embedderId: string;
  sparseEmbedderId: string;
  chunking: Chunking;
  remote?: RemoteEmbeddingModel | undefined;
  /** Terms are those of this language, whatever the documents' is. */
  language?: string | undefined;
}

export interface CollectionIndexesTable {
  collection_id: string;
  generation: number;
  workspace_id: string;
  status: 'live' | 'building' | 'cancelled' | 'failed' | 'retired';
  table_name: string;
  embedding_model: string | null;
  dimensions: number | null;
  recipe: Json<IndexRecipe>;
  documents_total: Generated<number>;
  documents_done: Generated<number>;
  error: string | null;
  created_at: Timestamp;
  finished_at: NullableTimestamp;
}

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
  language: string | null;
  page_count: number | null;
  chunk_count: Generated<number>;
  revision: Generated<number>;
  searchable_revision: number | null;
  content_id: string;
  searchable_content_id: string | null;
  is_archive: Generated<boolean>;
  attempt_token: string | null;
  attempts: Generated<number>;
  deadline_at: NullableTimestamp;
  created_at: Timestamp;
  modified_at: Timestamp;
  ready_at: NullableTimestamp;
  deleted_at: NullableTimestamp;
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

export interface EventsTable {
  id: string;
  workspace_id: string;
  type: string;
  data: Json<Record<string, unknown>>;
  created_at: Timestamp;
  dispatched_at: NullableTimestamp;
}

export type WebhookStatus = 'active' | 'disabled';

export interface WebhooksTable {
  id: string;
  workspace_id: string;
  name: string;
  url: string;
  host: string;
  events: string[];
  status: Generated<WebhookStatus>;
  disabled_reason: string | null;
  secret: string;
  secret_hint: string;
  previous_secrets: DefaultedJson<PreviousSecret[]>;
  failing_since: NullableTimestamp;
  last_delivery_at: NullableTimestamp;
  last_status_code: number | null;
  created_at: Timestamp;
  modified_at: Timestamp;
}

export interface PreviousSecret {
  /** Sealed. */
  secret: string;
  expiresAt: string;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled';

export interface DeliveriesTable {
  id: string;
  workspace_id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  host: string;
  status: Generated<DeliveryStatus>;
  attempts: Generated<number>;
  retries: Generated<number>;
  next_attempt_at: NullableTimestamp;
  claim_token: string | null;
  last_attempt_at: NullableTimestamp;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
  duration_ms: number | null;
  history: DefaultedJson<DeliveryAttempt[]>;
  created_at: Timestamp;
  finished_at: NullableTimestamp;
}

export interface DeliveryAttempt {
  at: string;
  statusCode: number | null;
  error: string | null;
  durationMs: number;
}

export interface InstancesTable {
  id: string;
  role: string;
  hostname: string;
  pid: number;
  worker_pool_ids: Generated<string[]>;
  started_at: Timestamp;
  heartbeat_at: Timestamp;
}

export interface ChatsTable {
  id: string;
  workspace_id: string;
  collection_id: string;
  model_id: string;
  title: string | null;
  instructions: string | null;
  filter: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  metadata: DefaultedJson<Record<string, unknown>>;
  message_count: Generated<number>;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: NullableTimestamp;
}

export type MessageStatus = 'streaming' | 'done' | 'failed' | 'stopped';

/** What a message holds, as clients see it. */
export interface MessageContent {
  parts: MessagePart[];
  citations: Citation[];
  usage: MessageUsage | null;
  error: { type: string; message: string } | null;
}

export type MessagePart =
  | { type: 'reasoning'; text: string }
  | {
      type: 'tool';
      name: 'retrieve';
      input: { query: string };
      status: 'running' | 'done' | 'failed';
      resultCount: number | null;
    }
  | { type: 'text'; text: string };

export interface Citation {
  /** Counts from 1. */
  index: number;
  documentId: string;
  documentName: string;
  /** Deleted or erased since; as it is when the citation is read. */
  documentDeleted: boolean;
  /** Verbatim from the chunk. */
  snippet: string;
  chunkId: string;
  revision: number;
  headings: string[];
  boxes: { page: number; bbox: [number, number, number, number] }[];
  /** Where the answer rests on it: `[start, end)` of a text part, UTF-16 code units. */
  spans: { part: number; start: number; end: number }[];
}

export interface MessageUsage {
  inputTokens: number;
  outputTokens: number;
  retrievals: number;
  /** From the request to the first line of the stream, to the first text of the answer, and to its end. */
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
  created_at: Timestamp;
  finished_at: NullableTimestamp;
}

export interface ChatLinesTable {
  message_id: string;
  seq: number;
  ops: Json<unknown[]>;
  created_at: Timestamp;
}

export type RunStatus = 'idle' | 'queued' | 'running' | 'done' | 'failed';

/** A file of a run, as it was sent in. */
export interface RunFile {
  /** Names its bytes in the object store. */
  id: string;
  name: string;
  format: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
}

/** A file that a run made. Small texts and JSON are kept here, everything else in the object store. */
export interface RunOutput {
  /** What clients call it, unique in the run. */
  path: string;
  contentType: string;
  sizeBytes: number;
  /** Its place below the run's in the object store; null: `text` is all of it. */
  key: string | null;
  text: string | null;
}

export interface RunError {
  module: string;
  type: string;
  message: string;
}

export interface ModuleOutcome {
  result: Record<string, unknown>;
  /** Fields in whose place clients see a reference to an output: the output's path by the field's name. */
  references: Record<string, string>;
}

export interface RunFileOutcome {
  name: string;
  /** The file that was sent in; null for a member of an archive. */
  fileId: string | null;
  modules: Record<string, ModuleOutcome>;
  errors: RunError[];
  outputs: RunOutput[];
}

export interface RunUsage {
  inputTokens: number;
  outputTokens: number;
  /** Pages, slides and sheets that were parsed. */
  pageCount: number;
}

export interface RunOutcome {
  files: RunFileOutcome[];
  usage: RunUsage;
}

export interface RunsTable {
  id: string;
  workspace_id: string;
  status: RunStatus;
  config: Json<Record<string, unknown>>;
  files: Json<RunFile[]>;
  progress: Generated<number>;
  error_type: string | null;
  error_message: string | null;
  outcome: ColumnType<RunOutcome | null, string | null | undefined, string | null>;
  outcome_bytes: Generated<number>;
  idempotency_key: Buffer | null;
  request_hash: Buffer | null;
  attempt_token: string | null;
  attempts: Generated<number>;
  deadline_at: NullableTimestamp;
  created_at: Timestamp;
  modified_at: Timestamp;
  started_at: NullableTimestamp;
  finished_at: NullableTimestamp;
  expires_at: NullableTimestamp;
  outputs_deleted_at: NullableTimestamp;
}

export interface Database {
  settings: SettingsTable;
  workspaces: WorkspacesTable;
  api_keys: ApiKeysTable;
  configurations: ConfigurationsTable;
  collections: CollectionsTable;
  collection_indexes: CollectionIndexesTable;
  documents: DocumentsTable;
  chunks: ChunksTable;
  partial_embeddings: PartialEmbeddingsTable;
  events: EventsTable;
  webhooks: WebhooksTable;
  deliveries: DeliveriesTable;
  instances: InstancesTable;
  chats: ChatsTable;
  chat_messages: ChatMessagesTable;
  chat_lines: ChatLinesTable;
  runs: RunsTable;
}

export type ApiKeyRecord = Selectable<ApiKeysTable>;
export type WorkspaceRecord = Selectable<WorkspacesTable>;
export type CollectionRecord = Selectable<CollectionsTable>;
export type CollectionIndexRecord = Selectable<CollectionIndexesTable>;
export type DocumentRecord = Selectable<DocumentsTable>;
export type ChunkRecord = Selectable<ChunksTable>;
export type ChatRecord = Selectable<ChatsTable>;
export type MessageRecord = Selectable<ChatMessagesTable>;
export type RunRecord = Selectable<RunsTable>;
export type WebhookRecord = Selectable<WebhooksTable>;
export type DeliveryRecord = Selectable<DeliveriesTable>;
export type NewChunk = Insertable<ChunksTable>;
