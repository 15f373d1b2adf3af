import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { id, timestamp } from '../../schemas/common.ts';
import { choice, optional, text } from '../../../validation/fields.ts';

const name = text({ min: 1, max: INPUT_LIMITS.name.max });
const chatSharing = choice('private', 'workspace');

export const workspaceBody = z.strictObject({ name });
export const workspaceChanges = z.strictObject({ name: optional(name), chatSharing: optional(chatSharing) });

export const workspaceShape = z
  .object({
    id,
    name: z.string(),
    chatSharing: z.enum(['private', 'workspace']),
    createdAt: timestamp,
    modifiedAt: timestamp,
  })
  .meta({ id: 'Workspace' });
