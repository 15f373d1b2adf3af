/** Cross-origin calls from the browsers' origins that the settings name; without any, browsers refuse them all. */
import type { FastifyInstance } from 'fastify';

const EXPOSED = 'ETag, Retry-After, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const DEFAULT_HEADERS = 'Authorization, Content-Type, Content-Disposition, Idempotency-Key, X-Request-Id';
const PREFLIGHT_SECONDS = 600;

/** `*` among the origins allows any. Keys travel in a header, so credentials (cookies) are never allowed. */
export function registerCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const any = origins.includes('*');
  const known = new Set(origins);
  app.addHook('onRequest', async (request, reply) => {
    if (!any) void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(any || known.has(origin))) return undefined;
    void reply.headers({ 'access-control-allow-origin': any ? '*' : origin, 'access-control-expose-headers': EXPOSED });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return undefined;
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? DEFAULT_HEADERS,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      })
      .send();
  });
}
