/** Creates the HTTP server that serves the routes: request ids, errors, CORS, compression, observation. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { notFound } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { authenticate, type AccessDeps } from './access.ts';
import { refuseTwoHosts } from './host-header.ts';
import { registerCompression } from './plugins/compression.ts';
import { registerCors } from './plugins/cors.ts';
import { sendError } from './plugins/error-handler.ts';
import { registerObservation } from './plugins/observe.ts';
import { readCertificate, watchCertificate, type TlsFiles } from './plugins/tls.ts';
import { requestIdOf } from './request-id.ts';
import { ROUTER_OPTIONS } from './router.ts';

/** A whole request may take an hour (200 MB over a slow line); `IDLE_CONNECTION_MS` ends one without progress. */
const REQUEST_TIMEOUT_MS = 3_600_000;
const IDLE_CONNECTION_MS = 120_000;

export interface ServerDeps {
  logger: Logger;
  metrics: Metrics;
  corsOrigins: readonly string[];
  /** Precedes every address; a proxy may pass it on or remove it. */
  basePath?: string;
  trustProxy?: number | string[] | false;
  tls?: TlsFiles | null;
  access: Pick<AccessDeps, 'authenticate' | 'limiter' | 'traffic'>;
}

export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { basePath = '', trustProxy = false, tls = null } = deps;
  const loggerInstance: FastifyBaseLogger = deps.logger;
  const options: FastifyHttpOptions<Server> = {
    loggerInstance,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    rewriteUrl: ({ url = '/' }) => withoutBasePath(url, basePath),
    logController: new LogController({ disableRequestLogging: true }),
    // The log context carries the request id, so requests need no logger of their own.
    childLoggerFactory: (logger) => logger,
    clientErrorHandler: answerUnreadable,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_CONNECTION_MS,
    forceCloseConnections: 'idle',
    // Requests that arrive during closing are answered like any other, without Fastify's own 503.
    return503OnClosing: false,
    // Registering routes is work without waiting, which on a busy machine takes longer than Fastify's 10 s.
    pluginTimeout: 0,
    routerOptions: ROUTER_OPTIONS,
    // An address that cannot be decoded or is too long names no resource.
    frameworkErrors: (_error, request, reply) =>
      deps.access.traffic.enter(request, reply, () => void refuseUnknown(request, reply, deps)),
  };
  const app: FastifyInstance = Fastify(tls === null ? options : secured(options, tls));
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  deps.access.traffic.register(app, IDLE_CONNECTION_MS);
  registerObservation(app, deps.metrics);
  refuseTwoHosts(app);
  if (tls !== null) watchCertificate(app, tls, deps.logger);
  await registerCors(app, deps.corsOrigins);
  registerCompression(app);
  deps.access.traffic.registerAnswers(app);
  await app.register(multipart);
  // The routes read bodies themselves: JSON with any content type, files as streams.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, deps));
  return app;
}

/** HTTP/1 over TLS has the same requests and answers as HTTP/1, so the routes need no types of their own. */
const secured = (options: FastifyHttpOptions<Server>, tls: TlsFiles): FastifyHttpOptions<Server> =>
  ({ ...options, https: readCertificate(tls) }) as FastifyHttpOptions<Server>;

const withoutBasePath = (url: string, basePath: string): string => {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  return rest === '' ? '/' : rest.startsWith('/') ? rest : rest.startsWith('?') ? `/${rest}` : url;
};

/** Answers 404; under `/v1` only with a valid key. */
async function refuseUnknown(request: FastifyRequest, reply: FastifyReply, { access }: ServerDeps): Promise<unknown> {
  // No hook has run when Fastify refuses an address, so the headers of every answer are set here.
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

/** Whether the bytes begin with a request line; used for a method that Node does not support. */
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
