import type { SyncService } from '../../../domain/connectors/sync/syncs.ts';
import { accepted, ok, route, type Route } from '../../route.ts';
import { presentSync } from './presenter.ts';
import { syncQuery, syncShape, syncWaitQuery } from './schemas.ts';

const tag = 'Connectors';
const CONNECTOR = '/v1/w/{ws}/connectors/{connector_id}';
const SYNC = `${CONNECTOR}/syncs/{sync_id}` as const;

export function syncRoutes(syncs: SyncService): Route[] {
  return [
    route({
      method: 'POST',
      path: `${CONNECTOR}/sync`,
      operationId: 'startSync',
      summary: 'Synchronise the collection with the source now',
      description:
        'With `dryRun` nothing changes and the record lists what would. With `full` stored versions are ignored. ' +
        '409 with `ctx.syncId` while one runs.',
      tag,
      permission: 'write',
      query: syncQuery,
      response: syncShape,
      statuses: [202],
      handler: async ({ params, query }) => {
        const request = { dryRun: query.dryRun === true, full: query.full === true };
        return accepted(presentSync(await syncs.start(params.ws, params.connector_id, request)));
      },
    }),
    route({
      method: 'GET',
      path: `${CONNECTOR}/syncs`,
      operationId: 'listSyncs',
      summary: 'List the synchronisations of a connector, newest first',
      tag,
      permission: 'read',
      response: syncShape,
      list: true,
      handler: async ({ params, page }) => {
        const found = await syncs.list(params.ws, params.connector_id, page);
        return ok({ ...found, items: found.items.map(presentSync) });
      },
    }),
    route({
      method: 'GET',
      path: SYNC,
      operationId: 'getSync',
      summary: 'Read a synchronisation, when it has ended or after `wait` seconds',
      tag,
      permission: 'read',
      query: syncWaitQuery,
      response: syncShape,
      handler: async ({ records, query, signal }) =>
        ok(presentSync(await syncs.wait(records.sync_id, (query.wait ?? 0) * 1000, signal))),
    }),
    route({
      method: 'POST',
      path: `${SYNC}/cancel`,
      operationId: 'cancelSync',
      summary: 'Stop a running synchronisation; what it has imported stays',
      tag,
      permission: 'write',
      response: syncShape,
      handler: async ({ params }) =>
        ok(presentSync(await syncs.cancel(params.ws, params.connector_id, params.sync_id))),
    }),
    route({
      method: 'POST',
      path: `${SYNC}/approve`,
      operationId: 'approveSync',
      summary: 'Carry out the deletions that the brake held back',
      description: 'Exactly the deletions of this synchronisation, unless a later one has begun (409).',
      tag,
      permission: 'write',
      response: syncShape,
      statuses: [202],
      handler: async ({ params }) =>
        accepted(presentSync(await syncs.approve(params.ws, params.connector_id, params.sync_id))),
    }),
  ];
}
