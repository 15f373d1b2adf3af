/** Serves declared routes: runs the contract's checks in order, calls the handler and adds the envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { apiError } from '../errors.ts';
import { encodeCursor } from '../shared/cursor.ts';
import { beginAudit } from '../domain/audit/pending.ts';
import type { Principal } from '../domain/keys/types.ts';
import { holdLogContext } from '../logger.ts';
import { checkAccess, type Access, type AccessDeps, type Params } from './access.ts';
import { auditEntryOf, isAudited, isRefusal, type AuditWriter } from './audit.ts';
import {
  checkBody,
  checkQuery,
  scopeOf,
  type CheckedQuery,
  type CheckedRoute,
  type RequestCheckDeps,
} from './check-request.ts';
import { bodySchemaOf, querySchemaOf, type rawUploadBody } from './inputs.ts';
import { registerGracefulClose, type ActiveRequests, type GracePeriods } from './plugins/graceful-close.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
import type { Answer, ListData, ReceivedUpload, Route, RouteContext, UploadKind } from './route.ts';
import { toFastifyPath } from './router.ts';
import { itemBytes } from './traffic/answer-sizes.ts';
import { contentTypeHint, discard, receiveBinary, spool } from './upload.ts';
import { receiveForm } from './upload-form.ts';

declare module 'fastify' {
  interface FastifyRequest {
    access: Access | null;
    /** The header as it was sent. It is removed from the request, because Fastify would refuse bodies by it. */
    sentContentType: string | undefined;
  }
}

export interface RouteDeps extends RequestCheckDeps {
  access: AccessDeps;
  audit: AuditWriter;
  grace?: GracePeriods;
}

export function registerRoutes(app: FastifyInstance, routes: readonly Route[], deps: RouteDeps): void {
  const active = registerGracefulClose(app, deps.grace);
  app.decorateRequest('access', null);
  app.decorateRequest('sentContentType', undefined);
  for (const route of routes) {
    const served = { route, query: querySchemaOf(route), body: bodySchemaOf(route), active };
    app.route({
      method: route.method,
      url: toFastifyPath(route.path),
      config: { template: route.path, brief: route.brief === true },
      onRequest: async (request, reply) => {
        hideContentType(route, request);
        request.access = await checkAccess(route, request, reply, deps.access, (principal, params) =>
          refuse(route, request, principal, params, deps),
        );
      },
      handler: (request, reply) => handle(served, request, reply, deps),
    });
  }
  refuseOtherMethods(app, routes, deps.access);
}

interface ServedRoute extends CheckedRoute {
  active: ActiveRequests;
}

const TAKES_FORMS: ReadonlySet<UploadKind> = new Set<UploadKind>(['multipart', 'file', 'run']);

/** Removes the content type of a body: the route alone decides how it is parsed. */
function hideContentType(route: Route, request: FastifyRequest): void {
  const type = request.raw.headers['content-type'];
  request.sentContentType = type;
  const form = TAKES_FORMS.has(route.upload ?? 'raw') && /^\s*multipart\/form-data/i.test(type ?? '');
  if (!form) delete request.raw.headers['content-type'];
}

async function handle(
  served: ServedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RouteDeps,
): Promise<unknown> {
  const { route } = served;
  const { access } = request;
  if (access === null) throw new Error('a route is handled after its access was checked');
  const query = checkQuery(served, request, access, deps);
  const { body, uploads } = await checkBody(served, request, query, deps);
  const bytes = answerBytesOf(route, query, body);
  if (bytes > 0) await deps.access.traffic.reserveAnswer(request, bytes);
  const received = await receive(route, request, body, deps);
  const context = {
    ...access,
    query: query.value,
    page: query.page,
    cursorOf: (path: string, filters: Record<string, unknown>, position: string) =>
      encodeCursor(position, scopeOf(path, access, filters, 'desc'), deps.cursorKey),
    body,
    received,
    uploads,
    signal: served.active.signalFor(reply.raw),
    request,
    reply,
    // A handler can name only the members that its declaration provides.
  } as RouteContext<string, unknown, unknown>;
  const release = holdLogContext();
  try {
    const answer = await audited(route, request, access, deps, () => route.handler(context));
    return send(route, answer, reply, query, deps);
  } finally {
    release();
    if (received !== undefined) await discard(received.upload);
    await Promise.all(uploads.map(discard));
  }
}

const answerBytesOf = ({ answerBytes }: Route, { value, page }: CheckedQuery, body: unknown): number =>
  answerBytes?.(value, body) ?? itemBytes(page?.limit ?? 0);

/** Runs the handler with its audit entry, and writes the entry unless a transaction of the handler has done so. */
async function audited(
  route: Route,
  request: FastifyRequest,
  { principal, params }: Access,
  deps: RouteDeps,
  handle: () => ReturnType<Route['handler']>,
): Promise<Answer<unknown>> {
  const pending = isAudited(route) ? beginAudit(auditEntryOf(route, request, principal, params)) : undefined;
  try {
    const answer = await handle();
    if (pending?.settled === false && pending.entry.workspaceId !== '') {
      request.log.debug({ action: pending.entry.action }, 'an audit entry was written after its change');
      await deps.audit.write(pending.entry);
    }
    return answer;
  } catch (error) {
    if (isRefusal(error)) refuse(route, request, principal, params, deps);
    throw error;
  }
}

function refuse(
  route: Route,
  request: FastifyRequest,
  principal: Principal | undefined,
  params: Params,
  deps: RouteDeps,
): void {
  if (params['ws'] === undefined) return;
  deps.audit.refuse({ ...auditEntryOf(route, request, principal, params), outcome: 'refused' });
}

async function receive(
  route: Route,
  request: FastifyRequest,
  body: unknown,
  deps: RouteDeps,
): Promise<ReceivedUpload | undefined> {
  if (route.upload === undefined || route.upload === 'run') return undefined;
  if (route.upload === 'multipart') return receiveForm(request, deps.uploads);
  if (route.upload === 'file' && request.isMultipart()) return receiveForm(request, deps.uploads, 'file');
  if (route.upload !== 'raw') {
    return { upload: await receiveBinary(request, request.sentContentType, deps.uploads) };
  }
  const { name, content, contentType, ...fields } = body as z.output<typeof rawUploadBody>;
  const bytes = Buffer.from(content);
  if (bytes.length > deps.uploads.maxFileBytes) {
    const limit = deps.uploads.maxFileBytes;
    throw apiError(413, 'file_too_large', `The file is larger than ${limit} bytes`, {
      loc: ['body', 'content'],
      ctx: { limit },
    });
  }
  const spooled = await spool(chunks(bytes), deps.uploads);
  return { upload: { ...spooled, name, contentType: contentTypeHint(contentType) }, ...fields };
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function send(
  route: Route,
  answer: Answer<unknown> | undefined,
  reply: FastifyReply,
  query: CheckedQuery,
  deps: RouteDeps,
): unknown {
  // A handler that has sent the reply itself returns the reply, which must not be awaited because it is thenable.
  if (answer === undefined || !('data' in answer)) return reply;
  void reply.code(answer.status);
  if (route.list !== true) return { data: answer.data, status: 'ok' };
  const { items, next, total } = answer.data as ListData<unknown>;
  const cursor = next === null ? null : encodeCursor(next, query.scope, deps.cursorKey);
  return { data: { items, cursor, limit: query.page?.limit, total }, status: 'ok' };
}
