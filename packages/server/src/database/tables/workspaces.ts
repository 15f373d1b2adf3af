/** Workspaces and the keys to them. */
import type { NullableTimestamp, Timestamp } from './columns.ts';

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
  /** Encrypted secret of scoped tokens; null for the root key, and for unused keys of earlier versions. */
  token_secret: string | null;
  expires_at: NullableTimestamp;
  last_used_at: NullableTimestamp;
  created_at: Timestamp;
}
