import { vectorsOf, type DocumentContent } from '../../../domain/documents/content.ts';
import { ok, route, type Route } from '../../route.ts';
import { presentChunk } from './presenter.ts';
import { chunkQuery, chunkShape } from './schemas.ts';

const tag = 'Documents';
export const CHUNKS = '/v1/w/{ws}/col/{col}/docs/{doc_id}/chunks';

export const chunkRoutes = (content: DocumentContent): Route[] => [
  route({
    method: 'GET',
    path: CHUNKS,
    operationId: 'listChunks',
    summary: 'List the chunks of a document in reading order',
    tag,
    permission: 'read',
    query: chunkQuery,
    response: chunkShape,
    list: true,
    handler: async ({ records, query, page }) => {
      const { items, next, total } = await content.chunkPage(records.doc_id, page);
      const withVectors = query.include?.includes('vectors') === true;
      return ok({
        items: items.map((chunk) => presentChunk(chunk, withVectors ? vectorsOf(chunk) : undefined)),
        next,
        total,
      });
    },
  }),
  route({
    method: 'GET',
    path: `${CHUNKS}/{chunk_id}`,
    operationId: 'getChunk',
    summary: 'Read a chunk of a document',
    tag,
    permission: 'read',
    query: chunkQuery,
    response: chunkShape,
    handler: async ({ params, records, query }) => {
      const chunk = await content.chunk(records.doc_id, params.chunk_id);
      return ok(presentChunk(chunk, query.include?.includes('vectors') === true ? vectorsOf(chunk) : undefined));
    },
  }),
];
