import type { KeyService } from '../../../domain/keys/service.ts';
import { created, ok, route, type Route } from '../../route.ts';
import { presentKey } from './presenter.ts';
import { keyBody, keyShape, newKeyShape } from './schemas.ts';

const tag = 'Keys';

export function keyRoutes(keys: KeyService): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/w/{ws}/keys',
      operationId: 'createKey',
      summary: 'Make an API key',
      description: 'The key itself is in this answer only.',
      tag,
      permission: 'admin',
      body: keyBody,
      response: newKeyShape,
      statuses: [201],
      handler: async ({ params, principal, body }) => {
        const { record, key } = await keys.create(params.ws, principal, body);
        return created({ ...presentKey(record), key });
      },
    }),
    route({
      method: 'GET',
      path: '/v1/w/{ws}/keys',
      operationId: 'listKeys',
      summary: 'List API keys, newest first',
      tag,
      permission: 'admin',
      response: keyShape,
      list: true,
      handler: async ({ params, page }) => {
        const found = await keys.list(params.ws, page);
        return ok({ ...found, items: found.items.map(presentKey) });
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/w/{ws}/keys/{key_id}',
      operationId: 'revokeKey',
      summary: 'Revoke an API key: the next request with it is refused',
      tag,
      permission: 'admin',
      response: keyShape,
      handler: async ({ params }) => ok(presentKey(await keys.revoke(params.ws, params.key_id))),
    }),
  ];
}
