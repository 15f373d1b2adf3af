import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { id, timestamp } from '../../schemas/common.ts';
import { text } from '../../../validation/fields.ts';

export const workspaceBody = z.strictObject({ name: text({ min: 1, max: INPUT_LIMITS.name.max }) });

export const workspaceShape = z
  .object({ id, name: z.string(), createdAt: timestamp, modifiedAt: timestamp })
  .meta({ id: 'Workspace' });
