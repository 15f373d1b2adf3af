import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { id, jsonObjectShape, nullableTimestamp, timestamp } from '../../schemas/common.ts';
import { rerankBody } from '../search/schemas.ts';
import { integer, optional, queryFlag, text, uuid } from '../../../validation/fields.ts';
import { metadataObject } from '../../../validation/json-object.ts';

const chunkingBody = z.strictObject({
  maxTokens: optional(integer({ ge: 32, le: 2000 })),
  overlapTokens: optional(integer({ ge: 0, le: 1000 })),
});

const choices = {
  parserId: optional(uuid()),
  embedderId: optional(uuid()),
  sparseEmbedderId: optional(uuid()),
  chunking: optional(chunkingBody),
  metadata: optional(metadataObject()),
};

export const collectionBody = z.strictObject({
  name: text({ min: 1, max: INPUT_LIMITS.name.max }),
  description: text({ max: INPUT_LIMITS.description.max }).nullish(),
  rerank: optional(rerankBody),
  ...choices,
});

export const collectionChanges = z.strictObject({
  name: optional(text({ min: 1, max: INPUT_LIMITS.name.max })),
  description: text({ max: INPUT_LIMITS.description.max }).nullish(),
  rerank: rerankBody.nullish(),
  ...choices,
});

export const collectionListQuery = z.object({ includeDeleted: optional(queryFlag()) });
export const purgeQuery = z.object({ purge: optional(queryFlag()) });

export const collectionShape = z
  .object({
    id,
    workspaceId: id,
    name: z.string(),
    description: z.string().nullable(),
    parserId: id,
    embedderId: id,
    sparseEmbedderId: id,
    chunking: z.object({ maxTokens: z.int(), overlapTokens: z.int() }),
    rerank: z.object({ model: z.string(), topK: z.int() }).nullable(),
    metadata: jsonObjectShape,
    documentCounts: z.object({ indexing: z.int(), ready: z.int(), failed: z.int() }),
    archiveCounts: z.object({ indexing: z.int(), ready: z.int(), failed: z.int() }),
    failedByType: z.record(z.string(), z.int()),
    chunkCount: z.int(),
    reindex: z
      .object({
        status: z.enum(['running', 'done', 'failed', 'cancelled']),
        progress: z.number().describe('Share of the documents in the new index, 0 to 1'),
      })
      .nullable(),
    createdAt: timestamp,
    modifiedAt: timestamp,
    deletedAt: nullableTimestamp,
  })
  .meta({ id: 'Collection' });
