import type { z } from 'zod';
import type { ApiKeyRecord } from '../../../database/tables.ts';
import { iso, isoOrNull } from '../../schemas/common.ts';
import type { keyShape } from './schemas.ts';

export function presentKey(record: ApiKeyRecord): z.output<typeof keyShape> {
  if (record.workspace_id === null || record.permission === 'root') throw new Error('the root key is never presented');
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    name: record.name,
    permission: record.permission,
    collectionIds: record.collection_ids,
    hint: record.key_hint,
    expiresAt: isoOrNull(record.expires_at),
    lastUsedAt: isoOrNull(record.last_used_at),
    createdAt: iso(record.created_at),
  };
}
