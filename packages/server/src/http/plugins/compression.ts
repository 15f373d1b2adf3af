/** Compresses text answers. Streams of chat lines and binary files are sent as they are. */
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Size in bytes below which compression saves nothing. */
const THRESHOLD_BYTES = 1024;
const COMPRESSED = /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml)|image\/svg\+xml)/;
/** Level of gzip between the fastest (1) and zlib's default (6), which takes longer for a few percent. */
const GZIP_LEVEL = 4;

export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: THRESHOLD_BYTES,
    customTypes: COMPRESSED,
    encodings: ['br', 'gzip'],
    zlibOptions: { level: GZIP_LEVEL },
    // Bodies of requests are read by the routes, with their own limits.
    globalDecompression: false,
  });
  app.addHook('onRoute', (route) => {
    const hooks = route.onSend === undefined ? [] : [route.onSend].flat();
    route.onSend = [...hooks, weakenEtag];
  });
}

/**
 * Makes the ETag of a compressed answer weak: its bytes are not those of the artifact, and ranges of it have no
 * meaning.
 */
async function weakenEtag(_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const etag = reply.getHeader('etag');
  if (reply.getHeader('content-encoding') !== undefined && typeof etag === 'string' && !etag.startsWith('W/')) {
    void reply.header('etag', `W/${etag}`).removeHeader('accept-ranges');
  }
  return payload;
}
