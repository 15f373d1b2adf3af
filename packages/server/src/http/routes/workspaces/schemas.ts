import { z } from 'zod';
import { id, timestamp } from '../../schemas/common.ts';
import { text } from '../../../validation/fields.ts';

export const workspaceBody = z.strictObject({ name: text({ min: 1, max: 200 }) });

export const workspaceShape = z
  .object({ id, name: z.string(), createdAt: timestamp, modifiedAt: timestamp })
  .meta({ id: 'Workspace' });
