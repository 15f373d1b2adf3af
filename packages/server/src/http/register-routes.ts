/** Serves declared routes: runs the contract's checks in order, calls the handler and adds the envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Upload } from '../domain/documents/types.ts';
import { ApiError, apiError, type ErrorDetail } from '../errors.ts';
import { decodeCursor, encodeCursor, isOurCursor } from '../shared/cursor.ts';
import type { ListQuery } from '../shared/list.ts';
import { beginAudit } from '../domain/audit/pending.ts';
import type { Principal } from '../domain/keys/types.ts';
import { holdLogContext } from '../logger.ts';
import { checkAccess, searchOf, type Access, type AccessDeps, type Params } from './access.ts';
import { auditEntryOf, isAudited, isRefusal, type AuditWriter } from './audit.ts';
import { bodySchemaOf, querySchemaOf, type rawUploadBody } from './inputs.ts';
import { registerGracefulClose, type ActiveRequests, type GracePeriods } from './plugins/graceful-close.ts';
import { readBody } from './request-body.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
import type { Answer, ListData, ReceivedUpload, Route, RouteContext, UploadKind } from './route.ts';
import { toFastifyPath } from './router.ts';
import { contentTypeHint, discard, receiveBinary, spool, type UploadSettings } from './upload.ts';
import { receiveRunForm } from './run-form.ts';
import { receiveForm } from './upload-form.ts';
import { validate } from '../validation/details.ts';
import { decodeUtf8, parseJson } from '../validation/json.ts';
import { MISSING, valueProblem } from '../validation/problem.ts';
import { readQuery } from '../validation/query.ts';

declare module 'fastify' {
  interface FastifyRequest {
    access: Access | null;
    /** The header as it was sent. It is removed from the request, because Fastify would refuse bodies by it. */
    sentContentType: string | undefined;
  }
}

export interface RouteDeps {
  access: AccessDeps;
  audit: AuditWriter;
  uploads: UploadSettings;
  maxJsonBytes: number;
  /** Maximum number of files in one run. */
  maxFiles: number;
  cursorKey: Buffer;
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

interface ServedRoute {
  route: Route;
  query: z.ZodObject | undefined;
  body: z.ZodType | undefined;
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

interface CheckedQuery {
  value: Record<string, unknown>;
  page: ListQuery | undefined;
  /** Identifies the list with its path and filters; a cursor is valid for one scope. */
  scope: string;
  details: ErrorDetail[];
}

function checkQuery(served: ServedRoute, request: FastifyRequest, access: Access, deps: RouteDeps): CheckedQuery {
  const { route, query } = served;
  if (query === undefined) return { value: {}, page: undefined, scope: '', details: [] };
  const raw = readQuery(searchOf(request), query.shape);
  const result = validate(query, raw, ['query']);
  const value: Record<string, unknown> = 'value' in result ? result.value : {};
  const details = 'details' in result ? result.details : [];
  if (route.list !== true) return { value, page: undefined, scope: '', details };
  const { cursor: _cursor, limit, ...filters } = value;
  const order = filters['order'] === 'asc' ? 'asc' : 'desc';
  const scope = scopeOf(route.path, access, filters, order);
  const after = readCursor(raw['cursor'], scope, details, deps);
  return { value, page: { limit: Number(limit), order, ...(after === undefined ? {} : { after }) }, scope, details };
}

const scopeOf = (path: string, { params }: Access, filters: Record<string, unknown>, order: 'asc' | 'desc'): string =>
  JSON.stringify([path, params, { ...filters, order }]);

/** Returns where the list continues; an empty cursor means the first page. Adds a detail for an invalid cursor. */
function readCursor(cursor: unknown, scope: string, details: ErrorDetail[], deps: RouteDeps): string | undefined {
  if (typeof cursor !== 'string' || cursor === '' || details.some(({ loc }) => loc[1] === 'cursor')) return undefined;
  const after = decodeCursor(cursor, scope, deps.cursorKey);
  // While another parameter is invalid the filters are unknown, so only the signature of the cursor is checked.
  const wrong = details.length === 0 ? after === undefined : !isOurCursor(cursor, deps.cursorKey);
  if (wrong) {
    const found = valueProblem('the cursor is not one of this list').problem;
    details.push({ loc: ['query', 'cursor'], ...found, input: cursor });
  }
  return after;
}

interface CheckedBody {
  body: unknown;
  uploads: readonly Upload[];
}

/** Returns the checked JSON body. Throws one 422 with the details of query and body. */
async function checkBody(
  { route, body }: ServedRoute,
  request: FastifyRequest,
  query: CheckedQuery,
  deps: RouteDeps,
): Promise<CheckedBody> {
  if (body === undefined) {
    if (query.details.length > 0) throw new ApiError(422, query.details);
    return { body: undefined, uploads: [] };
  }
  if (route.upload === 'run') return checkRun(route, body, request, query, deps);
  const text = decodeUtf8(await readBody(request.raw, deps.maxJsonBytes));
  const result = readJson(body, text, route.checkSize);
  const details = [...query.details, ...('details' in result ? result.details : [])];
  if (details.length > 0 || 'details' in result) throw new ApiError(422, details);
  return { body: result.value, uploads: [] };
}

/** Checks the form of a run, or its blocks as JSON; without `staged` at least one file is required. */
async function checkRun(
  { formFields = [], checkSize }: Route,
  schema: z.ZodType,
  request: FastifyRequest,
  query: CheckedQuery,
  deps: RouteDeps,
): Promise<CheckedBody> {
  const { uploads: spooling, maxFiles, maxJsonBytes: maxBlockBytes } = deps;
  const settings = { ...spooling, maxFiles, maxBlockBytes, blockNames: formFields };
  const form = request.isMultipart() ? await receiveRunForm(request, settings) : null;
  const uploads = form?.uploads ?? [];
  try {
    const checked =
      form === null
        ? readJson(schema, decodeUtf8(await readBody(request.raw, deps.maxJsonBytes)), checkSize)
        : checkBlocks(schema, form.blocks, checkSize);
    const details = [...query.details];
    const sent = uploads.length > 0 || form?.refusedFile === true;
    if (!sent && query.value['staged'] !== true) details.push({ loc: ['body', 'files'], ...MISSING });
    details.push(...(form?.details ?? []), ...('details' in checked ? checked.details : []));
    if (details.length > 0 || 'details' in checked) throw new ApiError(422, details);
    return { body: checked.value, uploads };
  } catch (error) {
    await Promise.all(uploads.map(discard));
    throw error;
  }
}

type Checked = { value: unknown } | { details: ErrorDetail[] };

function readJson(schema: z.ZodType, text: string, checkSize: Route['checkSize']): Checked {
  if (text === '') return validate(schema, undefined, ['body']);
  const parsed = parseJson(text, ['body']);
  return 'value' in parsed ? checkBlocks(schema, parsed.value, checkSize) : parsed;
}

function checkBlocks(schema: z.ZodType, value: unknown, checkSize: Route['checkSize']): Checked {
  const details = checkSize?.(value) ?? [];
  return details.length > 0 ? { details } : validate(schema, value, ['body']);
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
