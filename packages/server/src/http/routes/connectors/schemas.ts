import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { CONNECTOR_KINDS } from '@quire/connectors/connector-descriptor';
import { globProblem } from '../../../domain/connectors/sync/globs.ts';
import { scheduleProblem } from '../../../domain/connectors/schedule.ts';
import { CONNECTOR_STATUSES, ITEM_STATUSES, SYNC_STATUSES } from '../../../domain/connectors/types.ts';
import {
  choice,
  field,
  flag,
  integer,
  number,
  optional,
  queryFlag,
  queryInteger,
  text,
  uuid,
} from '../../../validation/fields.ts';
import { jsonObject, metadataObject } from '../../../validation/json-object.ts';
import { valueProblem, type Parsed } from '../../../validation/problem.ts';
import { parseText } from '../../../validation/text.ts';
import { id, jsonObjectShape, nullableTimestamp, timestamp } from '../../schemas/common.ts';

const MAX_SCHEDULE = INPUT_LIMITS.schedule.max;
const MAX_GLOB = INPUT_LIMITS.glob.max;

function checked(value: unknown, max: number, problemOf: (value: string) => string | undefined): Parsed<string> {
  const parsed = parseText(value, { min: 1, max });
  if ('problem' in parsed) return parsed;
  const reason = problemOf(parsed.value);
  return reason === undefined ? parsed : valueProblem(reason);
}

const schedule = () =>
  field((value) => checked(value, MAX_SCHEDULE, scheduleProblem), {
    type: 'string',
    minLength: 1,
    maxLength: MAX_SCHEDULE,
  });
const glob = field((value) => checked(value, MAX_GLOB, globProblem), {
  type: 'string',
  minLength: 1,
  maxLength: MAX_GLOB,
});
const globs = z.array(glob).max(INPUT_LIMITS.globs.max);
const config = jsonObject({ of: 'config', size: INPUT_LIMITS.connectorConfig });
const name = text({ min: 1, max: INPUT_LIMITS.name.max });
const maxFileBytes = () => integer({ ge: 1, le: Number.MAX_SAFE_INTEGER });

const common = {
  deletions: optional(choice('mirror', 'keep')),
  maxDeletionShare: optional(number({ ge: 0, le: 1 })),
  include: optional(globs),
  exclude: optional(globs),
  metadata: optional(metadataObject()),
};

export const connectorBody = z.strictObject({
  collectionId: uuid(),
  name,
  kind: choice(...CONNECTOR_KINDS),
  config,
  schedule: optional(schedule()),
  maxFileBytes: optional(maxFileBytes()),
  ...common,
});

export const connectorChanges = z.strictObject({
  name: optional(name),
  config: optional(config),
  schedule: schedule().nullish(),
  paused: optional(flag()),
  maxFileBytes: maxFileBytes().nullish(),
  ...common,
});

export const removalQuery = z.object({
  documents: optional(choice('keep', 'delete')),
  purge: optional(queryFlag()),
});
export const syncQuery = z.object({ dryRun: optional(queryFlag()), full: optional(queryFlag()) });
export const syncWaitQuery = z.object({ wait: optional(queryInteger({ ge: 0, le: 60 })) });
export const itemListQuery = z.object({
  status: optional(choice(...ITEM_STATUSES)),
  path: optional(text({ max: INPUT_LIMITS.sourcePath.max })),
});

const errorShape = z.object({ type: z.string(), message: z.string() }).nullable();

const changeShape = z.object({
  path: z.string(),
  change: z.enum(['add', 'update', 'delete', 'skip']),
  reason: z.string().nullable(),
});

export const syncShape = z
  .object({
    id,
    connectorId: id,
    trigger: z.enum(['manual', 'schedule']),
    dryRun: z.boolean(),
    status: z.enum(SYNC_STATUSES),
    phase: z.enum(['listing', 'fetching', 'deleting']).nullable(),
    counts: z.object({
      listed: z.int(),
      added: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      skipped: z.int(),
      deleted: z.int(),
      failed: z.int(),
    }),
    progress: z.object({ toFetch: z.int(), fetched: z.int(), fetchedBytes: z.int() }),
    verification: z.object({ checked: z.int(), present: z.int(), unknown: z.int() }),
    changes: z.array(changeShape),
    warnings: z.array(z.object({ type: z.string(), message: z.string() })),
    error: errorShape,
    nextTryAt: nullableTimestamp,
    startedAt: timestamp,
    finishedAt: nullableTimestamp,
  })
  .meta({ id: 'ConnectorSync' });

export const connectorShape = z
  .object({
    id,
    workspaceId: id,
    collectionId: id,
    name: z.string(),
    kind: z.enum(CONNECTOR_KINDS),
    config: jsonObjectShape,
    schedule: z.string().nullable(),
    deletions: z.enum(['mirror', 'keep']),
    maxDeletionShare: z.number(),
    include: z.array(z.string()),
    exclude: z.array(z.string()),
    maxFileBytes: z.int().nullable(),
    metadata: jsonObjectShape,
    status: z.enum(CONNECTOR_STATUSES),
    lastSync: syncShape.nullable(),
    nextSyncAt: nullableTimestamp,
    itemCounts: z.object({ synced: z.int(), failed: z.int(), skipped: z.int() }),
    createdAt: timestamp,
    modifiedAt: timestamp,
    deletedAt: nullableTimestamp,
  })
  .meta({ id: 'Connector' });

export const connectorTestShape = z
  .object({ ok: z.boolean(), latencyMs: z.int(), message: z.string(), sample: z.array(z.string()) })
  .meta({ id: 'ConnectorTest' });

export const itemShape = z
  .object({
    path: z.string(),
    url: z.string().nullable(),
    status: z.enum(ITEM_STATUSES),
    sizeBytes: z.int().nullable(),
    version: z.string().nullable(),
    sourceModifiedAt: nullableTimestamp,
    documentId: id.nullable(),
    error: errorShape,
    lastSeenAt: timestamp,
    syncedAt: nullableTimestamp,
  })
  .meta({ id: 'ConnectorItem' });
