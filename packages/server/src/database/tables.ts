/** Types of the tables for kysely, by area in `tables/`. The schema itself is defined by `migrations/`. */
import type { Insertable, Selectable } from 'kysely';
import type { AuditEntriesTable } from './tables/audit.ts';
import type { ChatLinesTable, ChatMessagesTable, ChatsTable } from './tables/chats.ts';
import type { CollectionIndexesTable, CollectionsTable, ConfigurationsTable } from './tables/collections.ts';
import type {
  ConnectorFoldersTable,
  ConnectorItemsTable,
  ConnectorListingTable,
  ConnectorsTable,
  ConnectorStateTable,
  ConnectorSyncsTable,
} from './tables/connectors.ts';
import type { ChunksTable, DocumentsTable, PartialEmbeddingsTable } from './tables/documents.ts';
import type { RunsTable } from './tables/runs.ts';
import type { CallSlotsTable, InstancesTable, RateBudgetsTable, SettingsTable } from './tables/service.ts';
import type { DeliveriesTable, EventsTable, WebhooksTable } from './tables/webhooks.ts';
import type { ApiKeysTable, WorkspacesTable } from './tables/workspaces.ts';

export type * from './tables/audit.ts';
export type * from './tables/chats.ts';
export type * from './tables/collections.ts';
export type * from './tables/connectors.ts';
export type * from './tables/documents.ts';
export type * from './tables/runs.ts';
export type * from './tables/webhooks.ts';
export type * from './tables/workspaces.ts';

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
  rate_budgets: RateBudgetsTable;
  call_slots: CallSlotsTable;
  chats: ChatsTable;
  chat_messages: ChatMessagesTable;
  chat_lines: ChatLinesTable;
  runs: RunsTable;
  audit_entries: AuditEntriesTable;
  connectors: ConnectorsTable;
  connector_state: ConnectorStateTable;
  connector_syncs: ConnectorSyncsTable;
  connector_items: ConnectorItemsTable;
  connector_listing: ConnectorListingTable;
  connector_folders: ConnectorFoldersTable;
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
export type AuditRecord = Selectable<AuditEntriesTable>;
export type DeliveryRecord = Selectable<DeliveriesTable>;
export type ConnectorRecord = Selectable<ConnectorsTable>;
export type SyncRecord = Selectable<ConnectorSyncsTable>;
export type SourceItemRecord = Selectable<ConnectorItemsTable>;
export type NewChunk = Insertable<ChunksTable>;
