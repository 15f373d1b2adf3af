/** Gives every request an id, a log line and an entry in the metrics, regardless of its result. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span } from '@opentelemetry/api';
import { openLogContext } from '../../logger.ts';
import type { Metrics } from '../../metrics.ts';
import { beginRequestSpan, endRequestSpan } from '../../tracing.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declared path, such as `/v1/w/{ws}`; absent if no route matched. */
    template?: string;
    /** Whether the route answers within milliseconds and often; log lines during it carry no request id. */
    brief?: boolean;
    /** Whether the answer is a static text, which is compressed once and not for each request. */
    isStatic?: boolean;
  }
}

const templateOf = (request: FastifyRequest): string => request.routeOptions.config.template ?? 'unmatched';

/** The spans of requests that are being traced. */
const spans = new WeakMap<FastifyRequest, Span>();

export function registerObservation(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    const begin = (): void => {
      if (request.routeOptions.config.brief === true) {
        done();
        return;
      }
      const close = openLogContext({ requestId: request.id }, done);
      reply.raw.once('close', close);
    };
    const route = templateOf(request);
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'quire.request_id': request.id,
    };
    const span = beginRequestSpan(`${request.method} ${route}`, request.headers['traceparent'], attributes, begin);
    if (span !== undefined) spans.set(request, span);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = templateOf(request);
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    const span = spans.get(request);
    const workspaceId = request.access?.params['ws'];
    if (span !== undefined)
      endRequestSpan(span, reply.statusCode, workspaceId === undefined ? {} : { 'quire.workspace_id': workspaceId });
    const keyId = request.access?.principal.keyId;
    const line = {
      requestId: request.id,
      method: request.method,
      route,
      address: request.ip,
      // The query is left out: a signed link in it works for an hour.
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      ...(keyId === undefined || keyId === '' ? {} : { keyId }),
      ...(workspaceId === undefined ? {} : { workspaceId }),
    };
    request.log.info(line, 'request');
  });
}
