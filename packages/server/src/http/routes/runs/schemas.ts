import { z } from 'zod';
import { id, nullableTimestamp, pageBox, timestamp } from '../../schemas/common.ts';
import { warningShape } from '../../schemas/content-warning.ts';
import { choice, optional, queryFlag, queryInteger, text } from '../../../validation/fields.ts';
import { KEY_LENGTH } from './idempotency-key.ts';

const wait = optional(
  queryInteger({ ge: 0, le: 60 }).describe('Maximum number of seconds to wait for the end of the run'),
);

export const newRunQuery = z.object({
  wait,
  idempotency_key: optional(
    text(KEY_LENGTH).describe(
      'Key that makes a repeated request return the same run; also the header `Idempotency-Key`',
    ),
  ),
  staged: optional(queryFlag().describe('Whether files follow one by one and processing begins with `submit`')),
});
export const waitQuery = z.object({ wait });
export const runListQuery = z.object({
  status: optional(choice('idle', 'queued', 'running', 'done', 'failed')),
  order: optional(choice('asc', 'desc')),
});

const outputShape = z
  .object({ path: z.string(), contentType: z.string(), sizeBytes: z.int() })
  .meta({ id: 'RunOutput' });

const referenceShape = outputShape
  .extend({ content: z.unknown().describe('The file itself, for texts and JSON up to 256 kB').optional() })
  .meta({ id: 'RunOutputReference' });

const errorShape = z.object({ type: z.string(), message: z.string() });

/** The operation as it was given, with what it changed. */
const editedShape = z.looseObject({
  type: z.string(),
  changes: z.int().describe('Number of changed places; 0 if nothing matched'),
  pages: z.array(z.int()).describe('Changed pages of a PDF').optional(),
  notes: z.array(z.string()).describe('Remarks on parts that could not be changed').optional(),
});

const parseShape = z.object({
  contentType: z.string(),
  pageCount: z.int().nullable(),
  language: z.string().nullable(),
  warnings: z.array(warningShape).optional(),
  markdown: referenceShape.optional(),
  html: referenceShape.optional(),
  blocks: referenceShape.optional(),
  thumbnail: z
    .object({ path: z.string(), contentType: z.string() })
    .describe('Picture of the first page; not available for members of archives')
    .optional(),
});

const evidenceShape = z.object({
  page: z.int().nullable(),
  bbox: z.array(z.number()).nullable(),
  boxes: z.array(pageBox).describe('The lines or the cell that hold the quote'),
  quote: z.string(),
  confidence: z.number(),
});

/** Fields above 256 kB are references to outputs. */
const fileOutcomeShape = z
  .object({
    name: z.string(),
    parse: parseShape.optional(),
    extraction: z
      .object({ data: z.unknown(), evidence: z.record(z.string(), evidenceShape).describe('By JSON Pointer') })
      .optional(),
    summary: z.object({ text: z.string() }).optional(),
    classification: z
      .object({ labels: z.array(z.object({ path: z.array(z.string()), score: z.number() })) })
      .optional(),
    edit: z
      .object({
        operations: z.array(editedShape),
        fileCount: z.int().describe('Files made; several only after a split, all of them among the outputs'),
        output: referenceShape,
      })
      .optional(),
    errors: z.array(errorShape.extend({ module: z.string() })),
    outputs: z.array(outputShape),
  })
  .meta({ id: 'RunFileOutcome' });

export const runShape = z
  .object({
    id,
    workspaceId: id,
    status: z.enum(['idle', 'queued', 'running', 'done', 'failed']),
    files: z.array(z.string()),
    config: z.record(z.string(), z.unknown()).describe('The blocks of the request'),
    progress: z.number(),
    error: errorShape.nullable(),
    outcome: z
      .object({
        files: z.array(fileOutcomeShape),
        usage: z.object({ inputTokens: z.int(), outputTokens: z.int(), pageCount: z.int() }),
      })
      .nullable(),
    createdAt: timestamp,
    startedAt: nullableTimestamp,
    finishedAt: nullableTimestamp,
    expiresAt: nullableTimestamp.describe('When an idle run is given up, and when inputs and outputs are deleted'),
    outputsDeletedAt: nullableTimestamp,
  })
  .meta({ id: 'Run' });

export const runFileShape = z
  .object({ name: z.string(), sizeBytes: z.int(), sha256: z.string() })
  .meta({ id: 'RunFile' });
