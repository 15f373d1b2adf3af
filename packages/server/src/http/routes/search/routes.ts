import type { SearchService } from '../../../domain/search/service.ts';
import { scopeOf } from '../../../domain/keys/types.ts';
import { ok, route, type Route } from '../../route.ts';
import { itemBytes } from '../../traffic/answer-sizes.ts';
import { presentAnswer } from './presenter.ts';
import { DEFAULT_LIMIT, readSearch } from './request.ts';
import { searchBody, searchShape, workspaceSearchBody } from './schemas.ts';

const tag = 'Search';

export function searchRoutes(search: SearchService): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/w/{ws}/col/{col}/search',
      operationId: 'searchCollection',
      summary: 'Search a collection',
      tag,
      permission: 'read',
      recentRecords: true,
      brief: true,
      scoped: true,
      body: searchBody,
      response: searchShape,
      answerBytes: (_query, { limit }) => itemBytes(limit ?? DEFAULT_LIMIT),
      handler: async ({ params, body, principal, signal }) =>
        ok(
          presentAnswer(
            await search.search(
              params.ws,
              [params.col],
              readSearch(body, scopeOf(principal)),
              principal.collectionIds,
              signal,
            ),
            body.offset,
          ),
        ),
    }),
    route({
      method: 'POST',
      path: '/v1/w/{ws}/search',
      operationId: 'searchCollections',
      summary: 'Search several or all collections together, also with different embedders',
      description:
        'Without `collectionIds` the search covers all collections of the workspace, or those that the key is limited to. ' +
        'Deleted collections are left out.',
      tag,
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      audit: false,
      body: workspaceSearchBody,
      response: searchShape,
      answerBytes: (_query, { limit }) => itemBytes(limit ?? DEFAULT_LIMIT),
      handler: async ({ params, body, principal, signal }) => {
        const { collectionIds, ...request } = body;
        const found = await search.search(
          params.ws,
          collectionIds ?? null,
          readSearch(request, scopeOf(principal)),
          principal.collectionIds,
          signal,
          ['body', 'collectionIds'],
        );
        return ok(presentAnswer(found, body.offset));
      },
    }),
  ];
}
