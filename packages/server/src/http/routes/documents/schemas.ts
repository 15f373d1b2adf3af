import { MARK_KINDS } from '@quire/blocks/block';
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { WARNING_TYPES } from '@quire/blocks/content-warning';
import { DOCUMENT_ERROR_TYPES, type DocumentFields } from '../../../domain/documents/types.ts';
import { boundingBox, id, jsonObjectShape, nullableTimestamp, pageBox, timestamp } from '../../schemas/common.ts';
import { OPTIONAL_FIELDS } from '../../document-fields.ts';
import { warningShape } from '../../schemas/content-warning.ts';
import { documentFilter } from '../../schemas/document-filter.ts';
import {
  choice,
  integer,
  optional,
  queryFlag,
  queryInteger,
  queryList,
  text,
  uuid,
} from '../../../validation/fields.ts';

const wait = optional(
  queryInteger({ ge: 0, le: 60 }).describe(
    'Maximum number of seconds to wait until the document is ready or has failed',
  ),
);

export const uploadQuery = z.object({
  duplicates: optional(choice('allow', 'skip', 'reject')),
  wait,
});
export const replaceQuery = z.object({ wait });

export const documentListQuery = z.object({
  status: optional(choice('indexing', 'ready', 'failed', 'deleted')),
  errorType: optional(
    choice(...DOCUMENT_ERROR_TYPES).describe('Type of the error: lists only failed documents with this `error.type`'),
  ),
  warning: optional(choice(...WARNING_TYPES).describe('Type of a warning: lists only documents with such a warning')),
  name: optional(text({ max: INPUT_LIMITS.nameSearch.max })),
  parentId: optional(uuid()),
  order: optional(choice('asc', 'desc')),
});

export const documentQuery = z.object({
  include: optional(queryList(choice('blocks', 'chunks', 'vectors'))),
  wait,
});

export const chunkQuery = z.object({ include: optional(queryList(choice('vectors'))) });

export const purgeQuery = z.object({ purge: optional(queryFlag()) });

export const documentChanges = z.strictObject({
  name: OPTIONAL_FIELDS.name,
  metadata: OPTIONAL_FIELDS.metadata,
} satisfies Record<keyof DocumentFields, z.ZodType>);

export const selectionBody = z
  .strictObject({
    documentIds: optional(z.array(uuid()).min(1).max(INPUT_LIMITS.documentIds.max)),
    filter: optional(documentFilter()),
  })
  .describe('Either `documentIds` or `filter`');

export const linksBody = z.strictObject({ expiresInSeconds: optional(integer({ ge: 1, le: 3600 })) }).nullish();

export const documentShape = z
  .object({
    id,
    workspaceId: id,
    collectionId: id,
    parentId: id.nullable(),
    name: z.string(),
    status: z.enum(['indexing', 'ready', 'failed', 'deleted']),
    contentType: z.string(),
    sizeBytes: z.int(),
    sha256: z.string(),
    metadata: jsonObjectShape,
    language: z.string().nullable(),
    pageCount: z.int().nullable(),
    chunkCount: z.int(),
    revision: z.int(),
    searchableRevision: z.int().nullable(),
    stage: z.enum(['queued', 'parsing', 'chunking', 'embedding', 'writing']).nullable(),
    progress: z.number(),
    error: z.object({ type: z.string(), message: z.string() }).nullable(),
    warnings: z.array(warningShape),
    createdAt: timestamp,
    modifiedAt: timestamp,
    readyAt: nullableTimestamp,
    deletedAt: nullableTimestamp,
  })
  .meta({ id: 'Document' });

const textLinks = z.array(z.object({ start: z.int(), end: z.int(), href: z.string() }));

const textMarks = z
  .array(z.object({ start: z.int(), end: z.int(), kind: z.enum(MARK_KINDS) }))
  .describe('Struck, raised, lowered and inserted parts; struck words are not searched, quoted or extracted');

const textLines = z
  .array(z.object({ start: z.int(), end: z.int(), page: z.int(), box: boundingBox }))
  .describe('The line map: each line holds [start, end) of the text, in UTF-16 code units, and has a box on its page');

const cellShape = z.object({
  text: z.string(),
  rowSpan: z.int(),
  colSpan: z.int(),
  header: z.boolean(),
  links: textLinks.optional(),
  marks: textMarks.optional(),
  page: z.int().optional(),
  box: boundingBox.optional(),
  lines: textLines.optional(),
});

const blockFields = {
  id: z.string(),
  type: z.string(),
  level: z.int().optional(),
  text: z.string().optional(),
  page: z.int().optional(),
  bbox: boundingBox.optional(),
  lines: textLines.optional(),
  rows: z.array(z.array(cellShape)).optional(),
  ordered: z.boolean().optional(),
  start: z.int().optional(),
  language: z.string().optional(),
  links: textLinks.optional(),
  marks: textMarks.optional(),
};
const blockShape = z
  .object({ ...blockFields, children: z.array(z.unknown()).optional().describe('Blocks inside of this one') })
  .meta({ id: 'Block' });

export const chunkShape = z
  .object({
    id,
    ordinal: z.int(),
    text: z.string(),
    headings: z.array(z.string()),
    blockIds: z.array(z.string()),
    boxes: z.array(pageBox),
    tokenCount: z.int(),
    dense: z.array(z.number()).nullable().optional(),
    sparse: z.object({ indices: z.array(z.int()), values: z.array(z.number()), terms: z.array(z.string()) }).optional(),
  })
  .meta({ id: 'Chunk' });

export const documentDetailShape = documentShape
  .extend({
    blocks: z.array(blockShape).nullable().optional(),
    chunks: z.array(chunkShape).optional(),
    chunksCursor: z.string().nullable().optional(),
  })
  .meta({ id: 'DocumentDetail' });

export const retryShape = z
  .object({ retried: z.int().describe('Number of failed documents that are processed again').meta({ example: 3 }) })
  .meta({ id: 'RetryResult' });

export const deletionShape = z.object({ deleted: z.int() }).meta({ id: 'DeletionResult' });

export const linksShape = z
  .object({
    expiresAt: timestamp,
    original: z.string(),
    markdown: z.string(),
    html: z.string(),
    thumbnail: z.string(),
    pages: z.string(),
    page: z.string(),
  })
  .meta({ id: 'DocumentLinks' });
