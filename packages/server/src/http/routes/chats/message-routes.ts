import type { MessageRecord } from '../../../database/tables.ts';
import type { Answers } from '../../../domain/chats/answers.ts';
import { notFound } from '../../../errors.ts';
import { scopeOf } from '../../../domain/keys/types.ts';
import { NDJSON, sendLines } from '../../ndjson.ts';
import { ok, route, type Route } from '../../route.ts';
import { conversationShape, messageBody, messageShape, streamQuery } from './schemas.ts';

const tag = 'Chat';
const CHAT = '/v1/w/{ws}/chat/{chat_id}';

/** Only answers are streamed. */
function answerOf(message: MessageRecord): MessageRecord {
  if (message.role !== 'assistant') throw notFound();
  return message;
}

export function messageRoutes(answers: Answers): Route[] {
  return [
    route({
      method: 'POST',
      path: `${CHAT}/message`,
      operationId: 'sendMessage',
      summary: 'Ask; the answer is streamed as diffcp lines',
      description:
        'NDJSON, each line a difference of the conversation state `{ chat, messages }` (see `packages/diffcp`). ' +
        'With `stream: false` the state after the answer as one JSON, `{ data, status }`.',
      tag,
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      body: messageBody,
      response: NDJSON,
      alternative: conversationShape,
      handler: async ({ params, principal, body, reply }) => {
        const live = await answers.ask(params.ws, principal, params.chat_id, body.query);
        if (body.stream !== false) return sendLines(reply, live.read());
        // Nothing is sent until the answer is complete, which may take longer than a connection may be silent.
        reply.raw.socket?.setTimeout(0);
        await live.finished();
        return reply.send({ data: await answers.stored(live), status: 'ok' });
      },
    }),
    route({
      method: 'GET',
      path: `${CHAT}/message/{message_id}/stream`,
      operationId: 'resumeMessage',
      summary: 'The lines of an answer after `after`, while it runs and afterwards',
      tag,
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      query: streamQuery,
      response: NDJSON,
      handler: async ({ records, principal, query, reply, signal }) => {
        const after = query.after ?? -1;
        const lines = answers.tail(answerOf(records.message_id).id, after, signal, scopeOf(principal));
        return sendLines(reply, lines, after);
      },
    }),
    route({
      method: 'POST',
      path: `${CHAT}/message/{message_id}/stop`,
      operationId: 'stopMessage',
      summary: 'End an answer where it is; what there is of it is kept',
      tag,
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      response: messageShape,
      handler: async ({ records, principal }) =>
        ok(await answers.stop(answerOf(records.message_id).id, scopeOf(principal))),
    }),
  ];
}
