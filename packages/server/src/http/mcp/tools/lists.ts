import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import type { CollectionService } from '../../../domain/collections/service.ts';
import type { CollectionView } from '../../../domain/collections/types.ts';
import type { DocumentRecord } from '../../../database/tables.ts';
import type { DocumentService } from '../../../domain/documents/service.ts';
import { scopeOf } from '../../../domain/keys/types.ts';
import { valueError } from '../../../errors.ts';
import { decodeCursor, encodeCursor } from '../../../shared/cursor.ts';
import type { ListPage, ListQuery } from '../../../shared/list.ts';
import type { McpCaller } from '../caller.ts';
import { consoleUrl, resourceLink } from '../links.ts';
import { quotedName } from '@quire/process/document-text/quoted-name';
import type { ReadableDocuments } from '../readable-documents.ts';
import { leadingWithin } from '@quire/process/document-text/token-budget';
import { RESULT_TOKENS } from '../result-tokens.ts';
import { READS, tool, type McpTool } from '../tool.ts';

const DEFAULT_LIMIT = 25;
/** Tokens of a list around its items. */
const FRAME_TOKENS = 150;

const cursorInput = z.string().min(1).max(500).optional().describe('Cursor of an earlier answer.');
const limitInput = z.int().min(1).max(50).optional().describe(`Maximum number of items; ${DEFAULT_LIMIT} by default.`);
const cursorOutput = z.string().nullable().describe('Continues the list; null at its end.');

export interface ListToolDeps {
  collections: Pick<CollectionService, 'list'>;
  documents: Pick<DocumentService, 'list'>;
  readable: ReadableDocuments;
  cursorKey: Buffer;
}

export const listCollectionsTool = ({ collections, cursorKey }: ListToolDeps): McpTool =>
  tool({
    name: 'list_collections',
    title: 'List collections',
    description:
      'Lists the collections of documents that the key may read, newest first, with the number of documents.',
    annotations: READS,
    input: z.strictObject({ cursor: cursorInput, limit: limitInput }),
    output: z.object({
      collections: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          description: z.string().nullable(),
          documents: z.object({ indexing: z.int(), ready: z.int(), failed: z.int() }),
        }),
      ),
      total: z.int(),
      cursor: cursorOutput,
    }),
    run: async ({ cursor, limit = DEFAULT_LIMIT }, { workspaceId, principal }) => {
      const token = scopeOf(principal);
      const scope = JSON.stringify(['mcp:collections', workspaceId, principal.collectionIds, token?.id]);
      const query = pageOf(cursor, limit, scope, cursorKey);
      const page = await collections.list(workspaceId, { ids: principal.collectionIds }, query, token);
      const shown = pageWithin(page, ({ record }) => record.id, presentCollection, scope, cursorKey);
      return { data: { collections: shown.items, total: page.total, cursor: shown.cursor } };
    },
  });

export const listDocumentsTool = ({ documents, readable, cursorKey }: ListToolDeps): McpTool =>
  tool({
    name: 'list_documents',
    title: 'List documents',
    description:
      'Lists the documents of a collection, newest first, with their state; by a part of their name or by status. ' +
      'Use search to find documents by what they say.',
    annotations: READS,
    input: z.strictObject({
      collection: z.uuid().describe('Id of the collection.'),
      name: z.string().min(1).max(INPUT_LIMITS.nameSearch.max).optional().describe('Part of the name, in any case.'),
      status: z.enum(['indexing', 'ready', 'failed']).optional(),
      cursor: cursorInput,
      limit: limitInput,
    }),
    output: z.object({
      documents: z.array(
        z.object({
          id: z.uuid(),
          title: z.string(),
          url: z.string(),
          status: z.enum(['indexing', 'ready', 'failed']),
          error: z.string().nullable().describe('Type of the error of a failed document.'),
          pageCount: z.int().nullable(),
          sizeBytes: z.int(),
          modifiedAt: z.string(),
        }),
      ),
      total: z.int(),
      cursor: cursorOutput,
    }),
    run: async ({ collection, name, status, cursor, limit = DEFAULT_LIMIT }, caller) => {
      await readable.requireCollection(caller, collection);
      const { workspaceId, principal } = caller;
      const token = scopeOf(principal);
      const scope = JSON.stringify(['mcp:documents', workspaceId, collection, name, status, token?.id]);
      const query = pageOf(cursor, limit, scope, cursorKey);
      const page = await documents.list(workspaceId, collection, { name, status, among: token?.condition }, query);
      // A model may read the links as well, so that both count.
      const present = (record: DocumentRecord) => ({
        document: presentDocument(record, caller),
        link: resourceLink(record),
      });
      const shown = pageWithin(page, ({ id }) => id, present, scope, cursorKey);
      return {
        data: { documents: shown.items.map(({ document }) => document), total: page.total, cursor: shown.cursor },
        content: shown.items.map(({ link }) => link),
      };
    },
  });

function presentCollection({ record, documentCounts: { indexing, ready, failed } }: CollectionView) {
  const description = record.description === null ? null : quotedName(record.description);
  return { id: record.id, name: quotedName(record.name), description, documents: { indexing, ready, failed } };
}

const presentDocument = (record: DocumentRecord, { baseUrl }: McpCaller) => ({
  id: record.id,
  title: quotedName(record.name),
  url: consoleUrl(baseUrl, { collectionId: record.collection_id, documentId: record.id }),
  status: record.status,
  error: record.error_type,
  pageCount: record.page_count,
  sizeBytes: Number(record.size_bytes),
  modifiedAt: record.modified_at.toISOString(),
});

function pageOf(cursor: string | undefined, limit: number, scope: string, key: Buffer): ListQuery {
  if (cursor === undefined) return { limit };
  const after = decodeCursor(cursor, scope, key);
  if (after === undefined) throw valueError(['cursor'], 'the cursor is not one of this list');
  return { limit, after };
}

/** Presents the leading rows that the budget allows; the next page begins after the last of them. */
function pageWithin<Row, Item>(
  page: ListPage<Row>,
  idOf: (row: Row) => string,
  present: (row: Row) => Item,
  scope: string,
  key: Buffer,
): { items: Item[]; cursor: string | null } {
  const items = leadingWithin(page.items.map(present), RESULT_TOKENS.list - FRAME_TOKENS);
  const last = page.items[items.length - 1];
  const next = items.length < page.items.length && last !== undefined ? idOf(last) : page.next;
  return { items, cursor: next === null ? null : encodeCursor(next, scope, key) };
}
