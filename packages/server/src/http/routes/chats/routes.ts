import { toChat } from '../../../domain/chats/conversation.ts';
import type { ChatService } from '../../../domain/chats/service.ts';
import { created, ok, route, type Route } from '../../route.ts';
import {
  chatBody,
  chatChanges,
  chatListQuery,
  chatRemovalQuery,
  chatShape,
  historyQuery,
  messageShape,
} from './schemas.ts';

const tag = 'Chat';
const CHAT = '/v1/w/{ws}/chat/{chat_id}';

export function chatRoutes(chats: ChatService): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/w/{ws}/chat',
      operationId: 'createChat',
      summary: 'Start a chat over a collection',
      description: "Without `modelId` the workspace's default model of this moment; `filter` narrows every retrieval.",
      tag,
      permission: 'write',
      limitedKeys: true,
      scoped: true,
      body: chatBody,
      response: chatShape,
      statuses: [201],
      handler: async ({ params, body, principal }) => created(toChat(await chats.create(params.ws, principal, body))),
    }),
    route({
      method: 'GET',
      path: '/v1/w/{ws}/chat',
      operationId: 'listChats',
      summary: 'List chats, newest first',
      description:
        'Those of the key or, for a token, of its key and `sub`; with `chatSharing: "workspace"` those of all keys.',
      tag,
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      query: chatListQuery,
      response: chatShape,
      list: true,
      handler: async ({ params, principal, query, page }) => {
        const { collection_id: collectionId, includeDeleted } = query;
        const found = await chats.list(params.ws, principal, { collectionId, includeDeleted }, page);
        return ok({ ...found, items: found.items.map(toChat) });
      },
    }),
    route({
      method: 'GET',
      path: CHAT,
      operationId: 'getChat',
      summary: 'Read a chat, also a deleted one',
      tag,
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      response: chatShape,
      handler: async ({ records }) => ok(toChat(records.chat_id)),
    }),
    route({
      method: 'PATCH',
      path: CHAT,
      operationId: 'updateChat',
      summary: 'Change a chat',
      tag,
      permission: 'write',
      limitedKeys: true,
      scoped: true,
      body: chatChanges,
      response: chatShape,
      handler: async ({ params, principal, body }) =>
        ok(toChat(await chats.update(params.ws, principal, params.chat_id, body))),
    }),
    route({
      method: 'DELETE',
      path: CHAT,
      operationId: 'deleteChat',
      summary: 'Delete a chat; its history is kept',
      description: 'With `purge=true` (admin) chat and history are erased for good.',
      tag,
      permission: 'write',
      adminQuery: 'purge',
      limitedKeys: true,
      scoped: true,
      query: chatRemovalQuery,
      response: chatShape,
      handler: async ({ params, principal, query }) =>
        ok(toChat(await chats.remove(params.ws, principal, params.chat_id, query.purge === true))),
    }),
    route({
      method: 'PUT',
      path: `${CHAT}/undelete`,
      operationId: 'undeleteChat',
      summary: 'Restore a deleted chat',
      tag,
      permission: 'write',
      limitedKeys: true,
      scoped: true,
      response: chatShape,
      handler: async ({ params, principal }) => ok(toChat(await chats.undelete(params.ws, principal, params.chat_id))),
    }),
    route({
      method: 'GET',
      path: `${CHAT}/history`,
      operationId: 'getChatHistory',
      summary: 'The messages of a chat, oldest first',
      tag,
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      query: historyQuery,
      response: messageShape,
      list: true,
      handler: async ({ params, principal, query, page }) =>
        ok(await chats.history(params.ws, principal, params.chat_id, { ...page, order: query.order })),
    }),
  ];
}
