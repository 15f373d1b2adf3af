/** Workspaces and the keys to them. */
import type { Generated } from 'kysely';
import type { NullableTimestamp, Timestamp } from './columns.ts';

export interface WorkspacesTable {
  id: string;
  name: string;
  chat_sharing: Generated<ChatSharing>;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: NullableTimestamp;
}

/** Whether keys see their own chats only, or those of all keys of the workspace. */
export type ChatSharing = 'private' | 'workspace';

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
