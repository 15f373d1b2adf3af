/**
 * Serves `/openapi.json` and `/docs`, the description of the API and its page; the page loads nothing from elsewhere.
 */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '../openapi/schemas.ts';

/** Names no other host and does not force HTTPS, so that the page works on any address the service is reached at. */
const PAGE_POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' data:",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self' 'unsafe-inline'",
].join('; ');

/** Calls `describe` at the first request: it takes about 250 ms of processor time, which a start need not wait for. */
export async function registerDocs(app: FastifyInstance, describe: () => JsonSchema, basePath: string): Promise<void> {
  let described: JsonSchema | undefined;
  let text: string | undefined;
  const document = { toJSON: () => (described ??= describe()) };
  app.get('/openapi.json', { config: { template: '/openapi.json' } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((text ??= JSON.stringify(document))),
  );
  await app.register(async (scope) => {
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } });
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      indexPrefix: basePath,
      staticCSP: PAGE_POLICY,
      theme: { title: 'Quire: the API' },
      // This layout leaves out the top bar, which has a field for descriptions of other services.
      uiConfig: { layout: 'BaseLayout', persistAuthorization: false, displayOperationId: true, docExpansion: 'list' },
    });
  });
}
