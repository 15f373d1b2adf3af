import { z } from 'zod';
import type { TokenRights } from '../../../domain/keys/types.ts';
import { id, iso, timestamp } from '../../schemas/common.ts';
import { ok, route, type Route } from '../../route.ts';

const whoamiShape = z
  .object({
    keyId: id,
    permission: z.enum(['read', 'write', 'admin', 'root']),
    workspaceId: id.nullable().describe('Workspace of the key; null for the root key'),
    collectionIds: z.array(id).nullable().describe('Collections that the key is limited to; null for all'),
    token: z
      .object({
        subject: z.string().nullable(),
        expiresAt: timestamp,
        filter: z.record(z.string(), z.unknown()).nullable(),
      })
      .optional()
      .describe('The scoped token in use; absent for a key'),
  })
  .meta({ id: 'Principal' });

const presentToken = ({ subject, expiresAt, scope }: TokenRights) => ({
  subject,
  expiresAt: iso(expiresAt),
  filter: scope?.filter ?? null,
});

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
      scoped: true,
      response: whoamiShape,
      handler: async ({ principal }) =>
        ok({
          keyId: principal.keyId,
          permission: principal.permission,
          workspaceId: principal.workspaceId,
          collectionIds: principal.collectionIds === null ? null : [...principal.collectionIds],
          ...(principal.token === undefined ? {} : { token: presentToken(principal.token) }),
        }),
    }),
  ];
}
