/** Writes pages of changes as server-sent events. Heartbeats carry the position, so that an idle client can resume. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { writePosition } from '../../../domain/changes/position.ts';
import type { Change, ChangePage } from '../../../domain/changes/types.ts';

export const EVENT_STREAM = 'text/event-stream';
/** Time after which clients connect again, in ms. */
const RETRY_MS = 2_000;

export function sendEvents(reply: FastifyReply, texts: AsyncGenerator<string>): FastifyReply {
  void reply.headers({
    'content-type': `${EVENT_STREAM}; charset=utf-8`,
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  return reply.send(Readable.from(texts, { objectMode: false }));
}

export const firstText = (isReset: boolean): string =>
  `retry: ${RETRY_MS}\n\n${isReset ? 'event: reset\ndata: {}\n\n' : ''}`;

export function writePage({ changes, end }: ChangePage): string {
  const events = changes.map(({ change, position }) => {
    const data = JSON.stringify(presentChange(change));
    return `id: ${writePosition(position)}\nevent: ${change.kind}\ndata: ${data}\n\n`;
  });
  // A comment, and the id for a client that resumes after it.
  return `${events.join('')}: \nid: ${writePosition(end)}\n\n`;
}

function presentChange(change: Change): object {
  const { id, state } = change;
  return change.kind === 'document' ? { id, collectionId: change.collectionId, state } : { id, state };
}
