/** Cross-origin calls from the origins that the settings name; without any, browsers refuse them all. */
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const EXPOSED = ['ETag', 'Retry-After', 'X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PREFLIGHT_SECONDS = 600;

/** `*` among the origins allows any. Keys travel in a header, so credentials (cookies) are never allowed. */
export async function registerCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: METHODS,
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
    // Any other OPTIONS request is answered like every method that a path does not have.
    strictPreflight: false,
  });
}
