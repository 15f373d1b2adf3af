import { TOOL_NAMES } from '../../../domain/chats/tools/registry.ts';
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { blockRange, id, jsonObjectShape, nullableTimestamp, pageBox, timestamp } from '../../schemas/common.ts';
import { documentFilter } from '../../schemas/document-filter.ts';
import { MAX_INT4 } from '../../../validation/numbers.ts';
import {
  choice,
  flag,
  nonBlankText,
  optional,
  queryFlag,
  queryInteger,
  text,
  uuid,
} from '../../../validation/fields.ts';
import { metadataObject } from '../../../validation/json-object.ts';

const title = text({ min: 1, max: INPUT_LIMITS.name.max });
const instructions = text({ max: INPUT_LIMITS.instructions.max });

const settings = {
  modelId: optional(uuid()),
  instructions: instructions.nullish(),
  filter: documentFilter().nullish(),
  metadata: optional(metadataObject()),
};

export const chatBody = z.strictObject({ title: optional(title), collection_id: uuid(), ...settings });
export const chatChanges = z.strictObject({ title: optional(title), ...settings });
export const chatListQuery = z.object({ collection_id: optional(uuid()), includeDeleted: optional(queryFlag()) });
export const chatRemovalQuery = z.object({ purge: optional(queryFlag()) });
export const historyQuery = z.object({ order: choice('asc', 'desc').default('asc') });
export const messageBody = z.strictObject({
  query: nonBlankText({ min: 1, max: INPUT_LIMITS.query.max }),
  stream: optional(flag()),
});
/** Last number that the next line can follow: numbers of lines are 32-bit integers in PostgreSQL. */
const MAX_SEQ = MAX_INT4 - 1;

export const streamQuery = z.object({ after: optional(queryInteger({ ge: -1, le: MAX_SEQ })) });

export const chatShape = z
  .object({
    id,
    workspaceId: id,
    collection_id: id,
    title: z.string().nullable(),
    modelId: id,
    instructions: z.string().nullable(),
    filter: jsonObjectShape.nullable(),
    metadata: jsonObjectShape,
    messageCount: z.int(),
    createdAt: timestamp,
    modifiedAt: timestamp,
    deletedAt: nullableTimestamp,
  })
  .meta({ id: 'Chat' });

const partShape = z.union([
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({
    type: z.literal('tool'),
    name: z.enum(TOOL_NAMES).describe('Which tool was called'),
    input: jsonObjectShape.describe('Input of the call; of `retrieve` its `query`'),
    status: z.enum(['running', 'done', 'failed']),
    resultCount: z.int().nullable(),
  }),
  z.object({ type: z.literal('text'), text: z.string() }),
]);

const citationShape = z
  .object({
    index: z.int().describe('Number of the citation in the answer, from 1'),
    collectionId: id.nullable().describe('Collection of the document; null in citations made by earlier versions'),
    documentId: id,
    documentName: z.string(),
    documentDeleted: z.boolean().describe('Whether the document has been deleted or erased since; the snippet stays'),
    snippet: z.string().describe('Text of the cited chunk, word for word'),
    chunkId: id,
    revision: z.int(),
    headings: z.array(z.string()),
    boxes: z
      .array(pageBox)
      .describe('Boxes of the lines that hold the snippet, on every page; of the whole chunk if they are not known'),
    blocks: z
      .array(blockRange)
      .describe('Formats without pages: ranges of the blocks that hold the snippet; the blocks are `id`s in the HTML'),
    spans: z
      .array(
        z.object({
          part: z.int(),
          start: z.int(),
          end: z.int(),
          value: z.enum(['date', 'count', 'measure', 'money', 'person', 'place']).optional(),
        }),
      )
      .describe('Statements of the answer that the citation supports'),
  })
  .meta({ id: 'Citation' });

export const messageShape = z
  .object({
    id,
    chatId: id,
    role: z.enum(['user', 'assistant']),
    status: z.enum(['streaming', 'done', 'failed', 'stopped']),
    parts: z.array(partShape),
    citations: z.array(citationShape),
    support: z.array(
      z.object({ part: z.int(), start: z.int(), end: z.int(), supported: z.boolean() }).meta({ id: 'SentenceSupport' }),
    ),
    droppedMarks: z.int(),
    confidence: z.number().nullable(),
    usage: z
      .object({
        inputTokens: z.int(),
        outputTokens: z.int(),
        retrievals: z.int(),
        firstLineMs: z.number(),
        firstTextMs: z
          .number()
          .nullable()
          .describe('Milliseconds from the request to the first text of the answer; null without text'),
        totalMs: z.number(),
      })
      .nullable(),
    error: z.object({ type: z.string(), message: z.string() }).nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Message' });

export const conversationShape = z
  .object({ chat: chatShape, messages: z.tuple([messageShape, messageShape]) })
  .meta({ id: 'Conversation' });
