import type { CollectionService } from '../../../domain/collections/service.ts';
import { scopeOf } from '../../../domain/keys/types.ts';
import { accepted, created, ok, route, type Route } from '../../route.ts';
import { presentCollection } from './presenter.ts';
import { collectionBody, collectionChanges, collectionListQuery, collectionShape, purgeQuery } from './schemas.ts';

const tag = 'Collections';
const COLLECTION = '/v1/w/{ws}/col/{col}';

export function collectionRoutes(collections: CollectionService): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/w/{ws}/col',
      operationId: 'createCollection',
      summary: 'Create a collection',
      description: "Parser and embedders that are not named are the workspace's defaults of this moment.",
      tag,
      permission: 'admin',
      body: collectionBody,
      response: collectionShape,
      statuses: [201],
      handler: async ({ params, body }) => created(presentCollection(await collections.create(params.ws, body))),
    }),
    route({
      method: 'GET',
      path: '/v1/w/{ws}/col',
      operationId: 'listCollections',
      summary: 'List collections, newest first',
      tag,
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      query: collectionListQuery,
      response: collectionShape,
      list: true,
      handler: async ({ params, principal, query, page }) => {
        const filter = { includeDeleted: query.includeDeleted, ids: principal.collectionIds };
        const found = await collections.list(params.ws, filter, page, scopeOf(principal));
        return ok({ ...found, items: found.items.map(presentCollection) });
      },
    }),
    route({
      method: 'GET',
      path: COLLECTION,
      operationId: 'getCollection',
      summary: 'Read a collection, also a deleted one',
      tag,
      permission: 'read',
      scoped: true,
      response: collectionShape,
      handler: async ({ params, principal }) =>
        ok(presentCollection(await collections.get(params.ws, params.col, scopeOf(principal)))),
    }),
    route({
      method: 'PATCH',
      path: COLLECTION,
      operationId: 'updateCollection',
      summary: 'Change a collection',
      description: 'Another embedder or chunking starts a re-index in the background; the old index serves meanwhile.',
      tag,
      permission: 'admin',
      body: collectionChanges,
      response: collectionShape,
      handler: async ({ params, body }) => ok(presentCollection(await collections.update(params.ws, params.col, body))),
    }),
    route({
      method: 'DELETE',
      path: COLLECTION,
      operationId: 'deleteCollection',
      summary: 'Delete a collection: out of lists and search at once',
      description: 'With `purge=true` records, vectors and artifacts are erased for good.',
      tag,
      permission: 'admin',
      query: purgeQuery,
      response: collectionShape,
      handler: async ({ params, query }) =>
        ok(presentCollection(await collections.remove(params.ws, params.col, query.purge === true))),
    }),
    route({
      method: 'PUT',
      path: `${COLLECTION}/undelete`,
      operationId: 'undeleteCollection',
      summary: 'Restore a deleted collection',
      tag,
      permission: 'admin',
      response: collectionShape,
      handler: async ({ params }) => ok(presentCollection(await collections.undelete(params.ws, params.col))),
    }),
    route({
      method: 'POST',
      path: `${COLLECTION}/reindex`,
      operationId: 'reindexCollection',
      summary: 'Rebuild the index in the background; the old one serves until the cut-over',
      tag,
      permission: 'admin',
      response: collectionShape,
      statuses: [202],
      handler: async ({ params }) => accepted(presentCollection(await collections.reindex(params.ws, params.col))),
    }),
    route({
      method: 'DELETE',
      path: `${COLLECTION}/reindex`,
      operationId: 'cancelReindex',
      summary: 'Cancel the re-index under way',
      tag,
      permission: 'admin',
      response: collectionShape,
      handler: async ({ params }) => ok(presentCollection(await collections.cancelReindex(params.ws, params.col))),
    }),
  ];
}
