import type { WorkspaceService } from '../../../domain/workspaces/service.ts';
import { created, ok, route, type Route } from '../../route.ts';
import { presentWorkspace } from './presenter.ts';
import { workspaceBody, workspaceChanges, workspaceShape } from './schemas.ts';

const tag = 'Workspaces';

export function workspaceRoutes(workspaces: WorkspaceService): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/workspaces',
      operationId: 'createWorkspace',
      summary: 'Create a workspace',
      tag,
      permission: 'root',
      body: workspaceBody,
      response: workspaceShape,
      statuses: [201],
      handler: async ({ body }) => created(presentWorkspace(await workspaces.create(body.name))),
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces',
      operationId: 'listWorkspaces',
      summary: 'List workspaces, newest first',
      tag,
      permission: 'root',
      response: workspaceShape,
      list: true,
      handler: async ({ page }) => {
        const found = await workspaces.list(page);
        return ok({ ...found, items: found.items.map(presentWorkspace) });
      },
    }),
    route({
      method: 'GET',
      path: '/v1/w/{ws}',
      operationId: 'getWorkspace',
      summary: 'Read a workspace',
      tag,
      permission: 'admin',
      response: workspaceShape,
      handler: async ({ params }) => ok(presentWorkspace(await workspaces.get(params.ws))),
    }),
    route({
      method: 'PATCH',
      path: '/v1/w/{ws}',
      operationId: 'updateWorkspace',
      summary: 'Change a workspace',
      description: 'With `chatSharing: "workspace"` each of its keys reads and continues the chats of all its keys.',
      tag,
      permission: 'admin',
      body: workspaceChanges,
      response: workspaceShape,
      handler: async ({ params, body }) => ok(presentWorkspace(await workspaces.update(params.ws, body))),
    }),
    route({
      method: 'DELETE',
      path: '/v1/w/{ws}',
      operationId: 'deleteWorkspace',
      summary: 'Delete a workspace and all that is in it, for good',
      description: 'Its keys stop working and its contents are unreachable at once; a job then erases them.',
      tag,
      permission: 'root',
      response: workspaceShape,
      handler: async ({ params }) => ok(presentWorkspace(await workspaces.delete(params.ws))),
    }),
  ];
}
