import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Rendering } from '../domain/documents/renderings.ts';

/** Sends `data` with one more member whose value is a stored JSON text, which is sent as a stream. */
export async function sendWithMember(
  reply: FastifyReply,
  data: object,
  member: string,
  value: Rendering,
): Promise<FastifyReply> {
  const text = await value.open();
  const json = JSON.stringify(data);
  const before = Buffer.from(`{"data":${json.slice(0, -1)}${json === '{}' ? '' : ','}${JSON.stringify(member)}:`);
  const after = Buffer.from('},"status":"ok"}');
  async function* parts(): AsyncGenerator<Buffer> {
    yield before;
    yield* Buffer.isBuffer(text) ? [text] : (text as AsyncIterable<Buffer>);
    yield after;
  }
  return reply
    .type('application/json; charset=utf-8')
    .header('content-length', before.length + value.sizeBytes + after.length)
    .send(Readable.from(parts()));
}
