import { z } from 'zod';
import type { ConfigurationKind } from '../../../database/tables.ts';
import { PROVIDERS } from '../../../domain/configurations/types.ts';
import { id, nullableTimestamp, timestamp } from '../../schemas/common.ts';
import { flag, optional, queryFlag, text } from '../../validation/fields.ts';
import { configChangesSchema, configSchema } from './provider-fields.ts';

const name = text({ min: 1, max: 200 });

export const configurationBody = (kind: ConfigurationKind) =>
  z.strictObject({ name, config: configSchema(kind), isDefault: optional(flag()) });

export const configurationChanges = (kind: ConfigurationKind) =>
  z.strictObject({
    name: optional(name),
    config: optional(configChangesSchema(kind)),
    isDefault: optional(flag()),
  });

export const configurationListQuery = z.object({ includeDeleted: optional(queryFlag()) });
export const removalQuery = z.object({ force: optional(queryFlag()), purge: optional(queryFlag()) });

const shared = {
  model: z.string().optional(),
  apiKey: z.string().describe('Masked').optional(),
  baseUrl: z.string().optional(),
  dimensions: z.int().optional(),
  temperature: z.number().optional(),
  maxOutputTokens: z.int().optional(),
  maxConcurrency: z.int().optional(),
  requestsPerMinute: z.int().optional(),
  language: z.string().optional(),
  ocr: z.enum(['auto', 'always', 'never']).optional(),
  languages: z.array(z.string()).optional(),
  jpegQuality: z.int().optional(),
  maxPixels: z.int().optional(),
  removeBoilerplate: z.boolean().optional(),
};

/** The record of a kind; its config has the fields of its provider. */
export const configurationShape = (kind: ConfigurationKind, componentName: string) =>
  z
    .object({
      id,
      workspaceId: id,
      name: z.string(),
      config: z.object({ provider: z.enum(PROVIDERS[kind]), ...shared }),
      isDefault: z.boolean(),
      createdAt: timestamp,
      modifiedAt: timestamp,
      deletedAt: nullableTimestamp,
    })
    .meta({ id: componentName });

export const configurationTestShape = z
  .object({ ok: z.boolean(), latencyMs: z.int(), message: z.string() })
  .meta({ id: 'ConfigurationTest' });
