/** The same routes for models, embedders and parsers; what differs is which providers there are. */
import type { ConfigurationKind } from '../../../database/tables.ts';
import type { ConfigurationTester } from '../../../domain/configurations/tester.ts';
import type { ConfigurationService } from '../../../domain/configurations/service.ts';
import type { ConfigurationChanges } from '../../../domain/configurations/types.ts';
import { created, ok, route, type Route } from '../../route.ts';
import { presentConfiguration } from './presenter.ts';
import {
  configurationBody,
  configurationChanges,
  configurationListQuery,
  configurationShape,
  configurationTestShape,
  removalQuery,
} from './schemas.ts';

const tag = 'Configuration';

interface Kind {
  kind: ConfigurationKind;
  /** In operation ids: `createModel`. */
  one: string;
  word: string;
  param: string;
}

const KINDS: readonly Kind[] = [
  { kind: 'models', one: 'Model', word: 'a model', param: 'model_id' },
  { kind: 'embedders', one: 'Embedder', word: 'an embedder', param: 'embedder_id' },
  { kind: 'parsers', one: 'Parser', word: 'a parser', param: 'parser_id' },
];

export function configurationRoutes(configurations: ConfigurationService, tester: ConfigurationTester): Route[] {
  return KINDS.flatMap((kind) => [
    ...listRoutes(configurations, kind),
    ...recordRoutes(configurations, kind),
    testRoute(configurations, tester, kind),
  ]);
}

function listRoutes(configurations: ConfigurationService, { kind, one, word }: Kind): Route[] {
  const path = `/v1/w/{ws}/config/${kind}` as '/v1/w/{ws}/config/models';
  return [
    route({
      method: 'POST',
      path,
      operationId: `create${one}`,
      summary: `Configure ${word}`,
      description: '`apiKey` is stored encrypted and comes back masked.',
      tag,
      permission: 'admin',
      body: configurationBody(kind),
      response: configurationShape(kind, one),
      statuses: [201],
      handler: async ({ params, body }) =>
        created(presentConfiguration(await configurations.create(params.ws, kind, body))),
    }),
    route({
      method: 'GET',
      path,
      operationId: `list${one}s`,
      summary: `List ${kind}, newest first`,
      tag,
      permission: 'read',
      query: configurationListQuery,
      response: configurationShape(kind, one),
      list: true,
      handler: async ({ params, query, page }) => {
        const found = await configurations.list(params.ws, kind, { includeDeleted: query.includeDeleted }, page);
        return ok({ ...found, items: found.items.map(presentConfiguration) });
      },
    }),
  ];
}

const pathOf = (kind: ConfigurationKind, param: string): string => `/v1/w/{ws}/config/${kind}/{${param}}`;

const addressFor = (kind: ConfigurationKind, param: string) => (params: Readonly<Record<string, string>>) =>
  [params['ws'] ?? '', kind, params[param] ?? ''] as const;

function recordRoutes(configurations: ConfigurationService, { kind, one, word, param }: Kind): Route[] {
  const path = pathOf(kind, param);
  const response = configurationShape(kind, one);
  const address = addressFor(kind, param);
  return [
    route({
      method: 'GET',
      path,
      operationId: `get${one}`,
      summary: `Read ${word}, also a deleted one`,
      tag,
      permission: 'read',
      response,
      handler: async ({ params }) => ok(presentConfiguration(await configurations.get(...address(params)))),
    }),
    route({
      method: 'PATCH',
      path,
      operationId: `update${one}`,
      summary: `Change ${word}`,
      description:
        '`config` is merged field by field; null removes an optional field, a masked `apiKey` keeps the stored one. ' +
        'A new host of `baseUrl` needs a new `apiKey`. Changed vectors start a re-index of the collections that use them.',
      tag,
      permission: 'admin',
      body: configurationChanges(kind),
      response,
      handler: async ({ params, body }) => {
        const changes = body as ConfigurationChanges;
        return ok(presentConfiguration(await configurations.update(...address(params), changes)));
      },
    }),
    route({
      method: 'DELETE',
      path,
      operationId: `delete${one}`,
      summary: `Delete ${word}: out of lists at once`,
      description:
        'One in use is refused, unless `force=true` moves its users to the default. With `purge=true` the record is erased.',
      tag,
      permission: 'admin',
      query: removalQuery,
      response,
      handler: async ({ params, query }) => {
        const removal = { force: query.force === true, purge: query.purge === true };
        return ok(presentConfiguration(await configurations.remove(...address(params), removal)));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/undelete`,
      operationId: `undelete${one}`,
      summary: `Restore ${word} that was deleted`,
      tag,
      permission: 'admin',
      response,
      handler: async ({ params }) => ok(presentConfiguration(await configurations.undelete(...address(params)))),
    }),
  ];
}

function testRoute(configurations: ConfigurationService, tester: ConfigurationTester, kind: Kind): Route {
  const address = addressFor(kind.kind, kind.param);
  return route({
    method: 'POST',
    path: `${pathOf(kind.kind, kind.param)}/test`,
    operationId: `test${kind.one}`,
    summary: `Try ${kind.word} with one tiny call`,
    description: 'A provider that fails is answered with `ok: false` and the reason.',
    tag,
    permission: 'admin',
    response: configurationTestShape,
    handler: async ({ params, signal }) => ok(await tester.test(await configurations.get(...address(params)), signal)),
  });
}
