import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { blockRange, id, jsonObjectShape, pageBox } from '../../schemas/common.ts';
import { documentFilter } from '../../schemas/document-filter.ts';
import { choice, flag, integer, nonBlankText, number, optional, text, uuid } from '../../../validation/fields.ts';

const fusionBody = z.strictObject({
  method: optional(choice('rrf', 'minmax')),
  denseWeight: optional(number({ ge: 0, le: 1 })),
  sparseWeight: optional(number({ ge: 0, le: 1 })),
});

/** A reranker and the number of hits that it orders. */
export const rerankBody = z.strictObject({
  model: text({ min: 1, max: INPUT_LIMITS.name.max }),
  topK: optional(integer({ ge: 1, le: 100 })),
});

const searchFields = {
  query: nonBlankText({ min: 1, max: INPUT_LIMITS.query.max }),
  limit: optional(integer({ ge: 1, le: 100 })),
  offset: optional(integer({ ge: 0, le: 1_000 })),
  mode: optional(choice('hybrid', 'dense', 'sparse')),
  fusion: optional(fusionBody),
  filter: optional(documentFilter()),
  minScore: optional(number()),
  rerank: rerankBody.nullish(),
  highlight: optional(flag()),
  explain: optional(flag()),
};

export const searchBody = z.strictObject(searchFields);

export const workspaceSearchBody = z.strictObject({
  collectionIds: optional(
    z
      .array(uuid())
      .min(1)
      .max(INPUT_LIMITS.searchCollections.max)
      .describe('Collections to search; without it, all collections of the workspace that the key may read'),
  ),
  ...searchFields,
});

const positionShape = z.object({ rank: z.int(), score: z.number() }).nullable();

export const searchShape = z
  .object({
    hits: z.array(
      z
        .object({
          documentId: id,
          documentName: z.string(),
          collectionId: id,
          chunkId: id,
          revision: z.int(),
          score: z.number(),
          relevance: z.number(),
          text: z.string(),
          snippet: z.string(),
          highlights: z
            .array(z.tuple([z.int(), z.int()]))
            .describe(
              'Places of query terms in `text`, as [start, end) in UTF-16 code units; empty without `highlight`',
            ),
          nameHighlights: z
            .array(z.tuple([z.int(), z.int()]))
            .describe('Places of query terms in `documentName`; empty without `highlight`'),
          headingHighlights: z
            .array(z.array(z.tuple([z.int(), z.int()])))
            .describe('Places of query terms in each of `headings`; empty without `highlight`'),
          highlightBoxes: z
            .array(pageBox)
            .describe('Boxes of the lines with highlights, on every page that they touch; empty without `highlight`'),
          highlightBlocks: z
            .array(blockRange)
            .describe('Formats without pages: ranges of blocks with highlights; the blocks are `id`s in the HTML'),
          headings: z.array(z.string()),
          boxes: z.array(pageBox).describe('Boxes of the whole chunk'),
          blockIds: z.array(z.string()),
          metadata: jsonObjectShape,
          explain: z
            .object({
              dense: positionShape,
              sparse: positionShape,
              fused: z.number(),
              likeness: z.number().optional(),
              rerank: z.object({ rank: z.int(), score: z.number(), tookMs: z.number() }).optional(),
            })
            .optional()
            .describe('Rank and raw score in each list, the fused score, the likeness, and the outcome of a reranker'),
        })
        .meta({ id: 'SearchHit' }),
    ),
    warnings: z.array(
      z.object({
        type: z.enum(['dense_unavailable', 'index_rebuilding', 'rerank_unavailable', 'metadata_omitted']),
        message: z.string(),
      }),
    ),
    tookMs: z.number(),
  })
  .meta({ id: 'SearchAnswer' });
