/**
 * Compresses the text answers of routes. Streams of chat lines and binary files are sent as they are. An answer in
 * memory is compressed whole in the thread pool, so that a slow reader holds no compressor.
 */
import { pipeline, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCoding, compress, compressor, type Coding } from '../content-coding.ts';

/** Size in bytes below which compression saves nothing. */
const THRESHOLD_BYTES = 1024;
const COMPRESSED = /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml)|image\/svg\+xml)/;

type Payload = string | Buffer | Readable | null | undefined;

export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => compressAnswer(request, reply, payload as Payload));
}

async function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<Payload> {
  if (payload === null || payload === undefined || !isCompressible(request, reply)) return payload;
  const coding = acceptedCoding(request.headers['accept-encoding']);
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
    if (coding === undefined || typeof payload.pipe !== 'function') return payload;
    if (Number(reply.getHeader('content-length') ?? Infinity) < THRESHOLD_BYTES) return payload;
    announce(reply, coding);
    void reply.removeHeader('content-length');
    // An error of the source destroys the answer; Fastify logs it.
    return pipeline(payload, compressor(coding), () => undefined);
  }
  if (coding === undefined || Buffer.byteLength(payload) < THRESHOLD_BYTES) return payload;
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const compressed = await compress(bytes, coding);
  announce(reply, coding);
  void reply.header('content-length', compressed.length);
  return compressed;
}

function isCompressible(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.routeOptions.config.isStatic === true) return false;
  if (reply.statusCode === 206 || reply.hasHeader('content-range') || reply.hasHeader('content-encoding')) return false;
  return COMPRESSED.test(String(reply.getHeader('content-type') ?? ''));
}

/**
 * Sets the headers of a compressed answer. Its ETag becomes weak: its bytes are not those of the artifact, and ranges
 * of it have no meaning.
 */
function announce(reply: FastifyReply, coding: Coding): void {
  const vary = String(reply.getHeader('vary') ?? '');
  void reply.headers({
    'content-encoding': coding,
    vary: vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`,
  });
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && !etag.startsWith('W/')) void reply.header('etag', `W/${etag}`);
  void reply.removeHeader('accept-ranges');
}
