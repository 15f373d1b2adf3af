import { z } from 'zod';
import { id } from '../../schemas/common.ts';
import { ok, route, type Route } from '../../route.ts';

const whoamiShape = z
  .object({
    keyId: id,
    permission: z.enum(['read', 'write', 'admin', 'root']),
    workspaceId: id.nullable().describe('Workspace of the key; null for the root key'),
    collectionIds: z.array(id).nullable().describe('Collections that the key is limited to; null for all'),
  })
  .meta({ id: 'Principal' });

export function whoamiRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/whoami',
      operationId: 'whoami',
      summary: 'What the key in use stands for',
      tag: 'Keys',
      permission: 'any',
      limitedKeys: true,
      response: whoamiShape,
      handler: async ({ principal }) =>
        ok({
          keyId: principal.keyId,
          permission: principal.permission,
          workspaceId: principal.workspaceId,
          collectionIds: principal.collectionIds === null ? null : [...principal.collectionIds],
        }),
    }),
  ];
}
