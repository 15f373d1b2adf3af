/** The HTTP server that routes are served by: ids, errors, CORS, observation; what Fastify is told, and why. */
// oxlint-disable-next-line no-restricted-imports -- a list of names; nothing is requested
import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { notFound } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { authenticate, type AccessDeps } from './access.ts';
import { registerCors } from './plugins/cors.ts';
import { sendError } from './plugins/error-handler.ts';
import { registerObservation } from './plugins/observe.ts';
import { requestIdOf } from './request-id.ts';

/** An upload of 200 MB over a slow line takes its time; only a request that makes no progress is cut (`connection`). */
const REQUEST_TIMEOUT_MS = 3_600_000;
const IDLE_CONNECTION_MS = 120_000;
/** Longer path parameters are a 422 like other malformed ids, not an unknown route. */
const MAX_PARAM_LENGTH = 2_048;

export interface ServerDeps {
  logger: Logger;
  metrics: Metrics;
  corsOrigins: readonly string[];
  access: Pick<AccessDeps, 'authenticate' | 'limiter'>;
}

export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.logger;
  const app: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Ids come from the log context; a child logger for each request is not needed.
    childLoggerFactory: (logger) => logger,
    clientErrorHandler: answerUnreadable,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_CONNECTION_MS,
    forceCloseConnections: 'idle',
    // What still arrives while closing is answered like anything else, not with Fastify's own 503.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    // Addresses that cannot be decoded or are too long: nothing can be there.
    frameworkErrors: (_error, request, reply) => void refuseUnknown(request, reply, deps),
  });
  // Every method that Node reads can be answered with 405. CONNECT requests are never passed to a route.
  const added = METHODS.filter((method) => method !== 'CONNECT' && !app.supportedMethods.includes(method));
  for (const method of added) app.addHttpMethod(method, { hasBody: true });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  registerObservation(app, deps.metrics);
  registerCors(app, deps.corsOrigins);
  await app.register(multipart);
  // Bodies are read by the routes themselves: JSON whatever the header says, files as streams.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, deps));
  return app;
}

/** 404; under `/v1` only after a look at the key. */
async function refuseUnknown(request: FastifyRequest, reply: FastifyReply, { access }: ServerDeps): Promise<unknown> {
  // What Fastify refuses by itself has met no hook: these are given to every answer.
  void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
  try {
    if (request.url.startsWith('/v1/')) await authenticate(request, reply, access);
    return sendError(notFound(), request, reply);
  } catch (error) {
    return sendError(error, request, reply);
  }
}

const UNREADABLE: Readonly<Record<string, readonly [status: string, msg: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The address and headers of the request are too long'],
};

const UNREADABLE_HTTP = ['400 Bad Request', 'The request is not readable HTTP'] as const;

/** Whether the bytes begin with the first line of a request, whose method Node does not know. */
const isRequestLine = (bytes: unknown): boolean =>
  bytes instanceof Uint8Array &&
  /^[A-Za-z_-]{1,64} \S{1,4096} HTTP\/1\.[01]\r?\n/.test(Buffer.from(bytes).toString('latin1'));

/** Answers in the usual shape when bytes are not HTTP or exceed Node's limits, because they never become a request. */
function answerUnreadable(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const unknownMethod = error.code === 'HPE_INVALID_METHOD' && isRequestLine(error.rawPacket);
  const [status, msg, type] = unknownMethod
    ? (['405 Method Not Allowed', 'Method not allowed', 'method_not_allowed'] as const)
    : ([...(UNREADABLE[error.code ?? ''] ?? UNREADABLE_HTTP), 'bad_request'] as const);
  const body = JSON.stringify({ detail: [{ loc: [], msg, type }] });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
