import type { z } from 'zod';
import type { WorkspaceRecord } from '../../../database/tables.ts';
import { iso } from '../../schemas/common.ts';
import type { workspaceShape } from './schemas.ts';

export function presentWorkspace(record: WorkspaceRecord): z.output<typeof workspaceShape> {
  return {
    id: record.id,
    name: record.name,
    chatSharing: record.chat_sharing,
    createdAt: iso(record.created_at),
    modifiedAt: iso(record.modified_at),
  };
}
