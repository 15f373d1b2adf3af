import { z } from 'zod';
import { id, jsonObjectShape, nullableTimestamp, timestamp } from '../../schemas/common.ts';
import { rerankBody } from '../search/schemas.ts';
import { integer, jsonObject, optional, queryFlag, text, uuid } from '../../../validation/fields.ts';

const chunkingBody = z.strictObject({
  maxTokens: optional(integer({ ge: 32, le: 2000 })),
  overlapTokens: optional(integer({ ge: 0, le: 1000 })),
});

const choices = {
  parserId: optional(uuid()),
  embedderId: optional(uuid()),
  sparseEmbedderId: optional(uuid()),
  chunking: optional(chunkingBody),
  metadata: optional(jsonObject()),
};

export const collectionBody = z.strictObject({
  name: text({ min: 1, max: 200 }),
  description: text({ max: 5000 }).nullish(),
  rerank: optional(rerankBody),
  ...choices,
});

export const collectionChanges = z.strictObject({
  name: optional(text({ min: 1, max: 200 })),
  description: text({ max: 5000 }).nullish(),
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
