/** `/openapi.json` and `/docs`: the API described for programs and for people, from this server alone. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '../openapi/schemas.ts';

export async function registerDocs(app: FastifyInstance, document: JsonSchema): Promise<void> {
  const text = JSON.stringify(document);
  app.get('/openapi.json', { config: { template: '/openapi.json' } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(text),
  );
  // Where the address that the service prints leads in a browser.
  app.get('/', { config: { template: '/' } }, async (_request, reply) => reply.redirect('/docs'));
  await app.register(async (scope) => {
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } });
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      theme: { title: 'Quire: the API' },
      // Without the bar of the page's makers and its field for other services' descriptions.
      uiConfig: { layout: 'BaseLayout', persistAuthorization: false, displayOperationId: true, docExpansion: 'list' },
    });
  });
}
