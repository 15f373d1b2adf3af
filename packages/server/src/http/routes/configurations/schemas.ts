import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import type { ConfigurationKind } from '../../../database/tables.ts';
import { id, nullableTimestamp, timestamp } from '../../schemas/common.ts';
import { flag, optional, queryFlag, text } from '../../../validation/fields.ts';
import { configChangesSchema, configSchema, configShape } from '../../../domain/configurations/provider-config.ts';

const name = text({ min: 1, max: INPUT_LIMITS.name.max });

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

/** The record of a kind; its config has the settings of its provider. */
export const configurationShape = (kind: ConfigurationKind, componentName: string) =>
  z
    .object({
      id,
      workspaceId: id,
      name: z.string(),
      config: configShape(kind),
      isDefault: z.boolean(),
      createdAt: timestamp,
      modifiedAt: timestamp,
      deletedAt: nullableTimestamp,
    })
    .meta({ id: componentName });

export const configurationTestShape = z
  .object({ ok: z.boolean(), latencyMs: z.int(), message: z.string() })
  .meta({ id: 'ConfigurationTest' });
