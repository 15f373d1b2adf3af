import type { ConnectorService } from '../../../domain/connectors/service.ts';
import type { SyncService } from '../../../domain/connectors/sync/syncs.ts';
import { created, ok, route, type Route } from '../../route.ts';
import { presentConnector, presentItem } from './presenter.ts';
import {
  connectorBody,
  connectorChanges,
  connectorShape,
  connectorTestShape,
  itemListQuery,
  itemShape,
  removalQuery,
} from './schemas.ts';
import { syncRoutes } from './sync-routes.ts';

const tag = 'Connectors';
const CONNECTORS = '/v1/w/{ws}/connectors';
const CONNECTOR = `${CONNECTORS}/{connector_id}` as const;

export const connectorRoutes = (connectors: ConnectorService, syncs: SyncService): Route[] => [
  ...listRoutes(connectors),
  ...recordRoutes(connectors),
  ...sourceRoutes(connectors),
  ...syncRoutes(syncs),
];

function listRoutes(connectors: ConnectorService): Route[] {
  return [
    route({
      method: 'POST',
      path: CONNECTORS,
      operationId: 'createConnector',
      summary: 'Import the files of a source into a collection and keep them in step',
      description: 'Credentials in `config` are stored encrypted and come back masked. Nothing is imported yet.',
      tag,
      permission: 'admin',
      body: connectorBody,
      response: connectorShape,
      statuses: [201],
      handler: async ({ params, body }) => created(presentConnector(await connectors.create(params.ws, body))),
    }),
    route({
      method: 'GET',
      path: CONNECTORS,
      operationId: 'listConnectors',
      summary: 'List connectors, newest first',
      tag,
      permission: 'read',
      response: connectorShape,
      list: true,
      handler: async ({ params, page }) => {
        const found = await connectors.list(params.ws, page);
        return ok({ ...found, items: found.items.map(presentConnector) });
      },
    }),
  ];
}

function recordRoutes(connectors: ConnectorService): Route[] {
  return [
    route({
      method: 'GET',
      path: CONNECTOR,
      operationId: 'getConnector',
      summary: 'Read a connector, also a deleted one',
      tag,
      permission: 'read',
      response: connectorShape,
      handler: async ({ params }) => ok(presentConnector(await connectors.get(params.ws, params.connector_id))),
    }),
    route({
      method: 'PATCH',
      path: CONNECTOR,
      operationId: 'updateConnector',
      summary: 'Change a connector, pause it, or give it new credentials',
      description:
        '`config` is merged field by field; null removes an optional field, a masked credential keeps the stored one. ' +
        'A change of a field that names the server needs the credentials again.',
      tag,
      permission: 'admin',
      body: connectorChanges,
      response: connectorShape,
      handler: async ({ params, body }) =>
        ok(presentConnector(await connectors.update(params.ws, params.connector_id, body))),
    }),
    route({
      method: 'DELETE',
      path: CONNECTOR,
      operationId: 'deleteConnector',
      summary: 'Delete a connector and stop its synchronisation',
      description:
        'The imported documents stay, unless `documents=delete`. With `purge=true` the record is erased for good.',
      tag,
      permission: 'admin',
      query: removalQuery,
      response: connectorShape,
      handler: async ({ params, query }) => {
        const removal = { documents: query.documents ?? 'keep', purge: query.purge === true };
        return ok(presentConnector(await connectors.remove(params.ws, params.connector_id, removal)));
      },
    }),
    route({
      method: 'PUT',
      path: `${CONNECTOR}/undelete`,
      operationId: 'undeleteConnector',
      summary: 'Restore a deleted connector',
      tag,
      permission: 'admin',
      response: connectorShape,
      handler: async ({ params }) => ok(presentConnector(await connectors.undelete(params.ws, params.connector_id))),
    }),
  ];
}

function sourceRoutes(connectors: ConnectorService): Route[] {
  return [
    route({
      method: 'POST',
      path: `${CONNECTOR}/test`,
      operationId: 'testConnector',
      summary: 'Connect to the source and list its first files',
      description: 'A source that fails is answered with `ok: false` and the reason, within 20 seconds.',
      tag,
      permission: 'admin',
      response: connectorTestShape,
      handler: async ({ params, signal }) => ok(await connectors.test(params.ws, params.connector_id, signal)),
    }),
    route({
      method: 'GET',
      path: `${CONNECTOR}/items`,
      operationId: 'listConnectorItems',
      summary: 'List what is known of each file of the source, in the order of the paths',
      tag,
      permission: 'read',
      query: itemListQuery,
      response: itemShape,
      list: true,
      handler: async ({ params, query, page }) => {
        const { page: found, listedAt } = await connectors.items(params.ws, params.connector_id, query, page);
        return ok({ ...found, items: found.items.map((item) => presentItem(item, listedAt)) });
      },
    }),
  ];
}
