import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { choice, dateTime, optional, text, uuid } from '../../../validation/fields.ts';
import { id, timestamp } from '../../schemas/common.ts';

export const auditQuery = z.object({
  action: optional(text({ min: 1, max: INPUT_LIMITS.auditFilter.max })),
  resourceType: optional(text({ min: 1, max: INPUT_LIMITS.auditFilter.max })),
  resourceId: optional(text({ min: 1, max: INPUT_LIMITS.auditResourceId.max })),
  keyId: optional(uuid()).describe('Only entries of this key'),
  outcome: optional(choice('done', 'refused')).describe('Only entries with this outcome'),
  since: optional(dateTime()),
  until: optional(dateTime()),
  order: optional(choice('asc', 'desc')),
  format: optional(choice('json', 'jsonl')),
});

export const auditShape = z
  .object({
    id,
    at: timestamp,
    action: z.string(),
    resourceType: z.string(),
    resourceId: z.string().nullable(),
    actor: z.enum(['key', 'token', 'link', 'anonymous']),
    keyId: id.nullable(),
    subject: z.string().nullable(),
    requestId: z.string(),
    address: z.string(),
    outcome: z.enum(['done', 'refused']),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'AuditEntry' });
