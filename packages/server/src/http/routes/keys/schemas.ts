import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { id, nullableTimestamp, timestamp } from '../../schemas/common.ts';
import { choice, futureDateTime, optional, text, uuid } from '../../../validation/fields.ts';

export const keyBody = z.strictObject({
  name: text({ min: 1, max: INPUT_LIMITS.name.max }),
  permission: choice('read', 'write', 'admin'),
  collectionIds: optional(z.array(uuid()).min(1).max(INPUT_LIMITS.keyCollections.max)),
  expiresAt: optional(futureDateTime()),
});

export const keyShape = z
  .object({
    id,
    workspaceId: id,
    name: z.string(),
    permission: z.enum(['read', 'write', 'admin']),
    collectionIds: z.array(id).nullable(),
    hint: z.string().describe('Last characters of the key'),
    expiresAt: nullableTimestamp,
    lastUsedAt: nullableTimestamp.describe('Time of the latest use, within five minutes; null before the first'),
    createdAt: timestamp,
  })
  .meta({ id: 'Key' });

export const newKeyShape = keyShape
  .extend({ key: z.string().describe('The key itself; only this answer contains it') })
  .meta({ id: 'NewKey' });
