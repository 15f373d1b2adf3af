/** Connectors, their synchronisations, and what is known of the files of their sources. */
import type { Generated } from 'kysely';
import type { DefaultedJson, Json, NullableTimestamp, Timestamp } from './columns.ts';

export type ConnectorCondition = 'idle' | 'held' | 'failing' | 'needs_attention';

export interface ConnectorsTable {
  id: string;
  workspace_id: string;
  collection_id: string;
  name: string;
  kind: string;
  config: Json<Record<string, unknown>>;
  secrets: DefaultedJson<Record<string, string>>;
  schedule: string | null;
  paused: Generated<boolean>;
  deletions: Generated<'mirror' | 'keep'>;
  max_deletion_share: Generated<number>;
  include: Generated<string[]>;
  exclude: Generated<string[]>;
  max_file_bytes: string | number | null;
  metadata: DefaultedJson<Record<string, unknown>>;
  condition: Generated<ConnectorCondition>;
  failures: Generated<number>;
  change_token: string | null;
  listed_at: NullableTimestamp;
  next_sync_at: NullableTimestamp;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: NullableTimestamp;
}

export interface ConnectorStateTable {
  connector_id: string;
  key: string;
  value: string;
}

export type SyncStatus = 'running' | 'done' | 'done_with_errors' | 'failed' | 'cancelled' | 'held';
export type SyncPhase = 'listing' | 'comparing' | 'checking' | 'fetching' | 'deleting';

export interface SyncChange {
  path: string;
  change: string;
  reason: string | null;
}

export interface SyncWarning {
  type: string;
  message: string;
}

export interface ConnectorSyncsTable {
  id: string;
  workspace_id: string;
  connector_id: string;
  trigger: 'manual' | 'schedule';
  dry_run: Generated<boolean>;
  refetch: Generated<boolean>;
  status: SyncStatus;
  phase: SyncPhase | null;
  position: string | null;
  changes_since: string | null;
  change_token: string | null;
  approved: Generated<boolean>;
  known: Generated<number>;
  listed: Generated<number>;
  added: Generated<number>;
  updated: Generated<number>;
  unchanged: Generated<number>;
  skipped: Generated<number>;
  deleted: Generated<number>;
  failed: Generated<number>;
  to_fetch: Generated<number>;
  fetched: Generated<number>;
  fetched_bytes: Generated<string | number>;
  to_delete: Generated<number>;
  failed_folders: Generated<number>;
  checked: Generated<number>;
  left_out: Generated<number>;
  unconfirmed: Generated<number>;
  warnings: DefaultedJson<SyncWarning[]>;
  changes: DefaultedJson<SyncChange[]>;
  error_type: string | null;
  error_message: string | null;
  attempt_token: string | null;
  attempts: Generated<number>;
  progress_at: Timestamp;
  started_at: Timestamp;
  finished_at: NullableTimestamp;
  next_try_at: NullableTimestamp;
}

export type SourceItemStatus = 'pending' | 'synced' | 'failed' | 'skipped' | 'deleted';

export interface ConnectorItemsTable {
  connector_id: string;
  path: string;
  source_id: string | null;
  url: string | null;
  name: string | null;
  status: SourceItemStatus;
  version: string | null;
  listed_version: string;
  size_bytes: string | number | null;
  content_type: string | null;
  source_modified_at: NullableTimestamp;
  permissions: string[] | null;
  sha256: string | null;
  document_id: string | null;
  error_type: string | null;
  error_message: string | null;
  attempts: Generated<number>;
  next_attempt_at: NullableTimestamp;
  last_seen_at: Timestamp;
  is_missing: Generated<boolean>;
  is_reported: Generated<boolean>;
  synced_at: NullableTimestamp;
  todo: 'fetch' | 'describe' | 'delete' | null;
  todo_sync: string | null;
}

export interface ConnectorListingTable {
  sync_id: string;
  path: string;
  source_id: string | null;
  url: string | null;
  name: string | null;
  version: string;
  size_bytes: string | number | null;
  content_type: string | null;
  source_modified_at: NullableTimestamp;
  permissions: string[] | null;
  skip_type: string | null;
  skip_message: string | null;
}

export interface ConnectorFoldersTable {
  sync_id: string;
  folder: string;
  state: 'whole' | 'failed' | 'removed' | 'suspected' | 'present' | 'unknown';
  message: string | null;
}
