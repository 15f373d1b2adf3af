/**
 * Checks the caller's access before the body is read: 401, path parameters, 404, 403, the first half of the contract's
 * order of checks. A resource of another workspace is answered with the same 404 as one that does not exist.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, forbidden, notFound, type ErrorDetail } from '../errors.ts';
import type { DocumentScope } from '../domain/documents/scope.ts';
import { allows, scopeOf, type Principal } from '../domain/keys/types.ts';
import { addLogContext, leaveShare } from '../logger.ts';
import type { KeyRateLimiter } from './plugins/rate-limit.ts';
import type { Traffic } from './traffic/traffic.ts';
import { isNumberParam, paramNames, type Records, type Route } from './route.ts';
import { MAX_INT4, parseQueryBoolean, parseQueryInteger } from '../validation/numbers.ts';
import type { Parsed } from '../validation/problem.ts';
import { parseUuid } from '../validation/uuid.ts';

export type Params = Readonly<Record<string, string>>;

/** Returns the record of a path parameter below its parents (`params`) that the caller reaches, or undefined. */
export type RecordLoader<T> = (id: string, params: Params, principal: Principal) => Promise<T | undefined>;

export interface AccessDeps {
  authenticate: (key: string) => Promise<Principal | undefined>;
  workspaceExists: (workspaceId: string) => Promise<boolean>;
  loaders: { [Name in keyof Records]: RecordLoader<Records[Name]> };
  /** Returns a recently read collection, for routes with `recentRecords`; undefined if the database must be read. */
  recallCollection: (id: string, params: Params) => Promise<Records['col'] | undefined>;
  /** Whether the scope of a filtered token contains a document. */
  isInScope: (document: Records['doc_id'], scope: DocumentScope) => Promise<boolean>;
  /** Whether the query of a link to an artifact has a valid signature that has not expired. */
  verifyLink: (path: string, params: Params, query: URLSearchParams) => boolean;
  limiter: KeyRateLimiter;
  /** Budgets of requests and memory. */
  traffic: Traffic;
}

export interface Access {
  principal: Principal;
  params: Params;
  records: Partial<Records>;
}

const ANONYMOUS: Principal = { keyId: '', permission: 'read', workspaceId: null, collectionIds: [] };

export async function checkAccess(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AccessDeps,
  onRefused: (principal: Principal | undefined, params: Params) => void = () => undefined,
): Promise<Access> {
  if (route.permission === 'open') return { principal: ANONYMOUS, params: {}, records: {} };
  const { params, problems } = readParams(route.path, request.params);
  const search = searchOf(request);
  const linked = route.signedLinks === true ? await linkPrincipal(route, request, params, search, deps) : undefined;
  if (linked !== undefined)
    await deps.traffic.admit(request, reply, { workspaceId: params['ws'] ?? '', keyId: linked.keyId });
  const principal = linked ?? (await authenticate(request, reply, deps, () => onRefused(undefined, params)));
  if (problems.length > 0) throw new ApiError(422, problems);
  await checkReach(principal, params, deps);
  if (params['ws'] !== undefined) addLogContext({ workspaceId: params['ws'] });
  if (principal.permission === 'root') leaveShare();
  const records = await loadRecords(route, params, principal, deps);
  await checkDocument(principal, records, deps);
  try {
    checkPermission(route, principal, params, search);
  } catch (error) {
    onRefused(principal, params);
    throw error;
  }
  return { principal, params, records };
}

/**
 * Returns the principal of the `Authorization` header, once there is room for its request. Throws 401, or 429 if the
 * key has no requests left or too many in progress.
 */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Pick<AccessDeps, 'authenticate' | 'limiter' | 'traffic'>,
  onRefused: () => void = () => undefined,
): Promise<Principal> {
  const key = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const principal = key === undefined ? undefined : await deps.authenticate(key);
  if (principal === undefined) {
    onRefused();
    const msg =
      key === undefined ? 'Not authenticated: send Authorization: Bearer <API key>' : 'This API key is not valid';
    throw new ApiError(401, [{ loc: [], msg, type: 'unauthorized' }], { 'www-authenticate': 'Bearer' });
  }
  void reply.headers(await deps.limiter.take(principal.keyId));
  const { workspaceId, keyId } = principal;
  await deps.traffic.admit(request, reply, { workspaceId: workspaceId ?? '', keyId });
  return principal;
}

/** Returns the principal of a signed link, which reads this one collection; undefined without a valid signature. */
async function linkPrincipal(
  route: Route,
  request: FastifyRequest,
  params: Params,
  search: URLSearchParams,
  deps: AccessDeps,
): Promise<Principal | undefined> {
  if (request.headers.authorization !== undefined || !search.has('signature')) return undefined;
  const { ws, col } = params;
  if (ws === undefined || col === undefined || !deps.verifyLink(route.path, params, search)) return undefined;
  if (!(await deps.workspaceExists(ws))) return undefined;
  return { keyId: 'link', permission: 'read', workspaceId: ws, collectionIds: [col] };
}

function readParams(path: string, given: unknown): { params: Record<string, string>; problems: ErrorDetail[] } {
  const params: Record<string, string> = {};
  const problems: ErrorDetail[] = [];
  for (const name of paramNames(path)) {
    const key = name === 'path' ? '*' : name;
    const input: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, key) : undefined;
    if (name === 'path') {
      params[name] = String(input);
      continue;
    }
    const parsed = isNumberParam(name) ? readNumber(input) : parseUuid(input);
    if ('value' in parsed) params[name] = parsed.value;
    else problems.push({ loc: ['path', name], ...parsed.problem, input });
  }
  return { params, problems };
}

function readNumber(input: unknown): Parsed<string> {
  const parsed = parseQueryInteger(input, { ge: 1, le: MAX_INT4 });
  return 'value' in parsed ? { value: String(parsed.value) } : parsed;
}

/** Throws 404 unless the key reaches the workspace and the collection; the root key reaches every workspace. */
async function checkReach(principal: Principal, params: Params, deps: AccessDeps): Promise<void> {
  const { ws, col } = params;
  if (ws === undefined) return;
  const reaches = principal.permission === 'root' ? await deps.workspaceExists(ws) : principal.workspaceId === ws;
  if (!reaches) throw notFound();
  if (col !== undefined && principal.collectionIds !== null && !principal.collectionIds.includes(col)) throw notFound();
}

/** Throws 404 unless the scope of a filtered token contains the document. */
async function checkDocument(
  principal: Principal,
  { doc_id: document }: Partial<Records>,
  deps: AccessDeps,
): Promise<void> {
  const scope = scopeOf(principal);
  if (scope === null || document === undefined) return;
  if (!(await deps.isInScope(document, scope))) throw notFound();
}

async function loadRecords(
  route: Route,
  params: Params,
  principal: Principal,
  deps: AccessDeps,
): Promise<Partial<Records>> {
  const records: Partial<Records> = {};
  const { col } = params;
  if (route.recentRecords === true && col !== undefined) {
    const recent = await deps.recallCollection(col, params);
    if (recent !== undefined) return { col: recent };
  }
  for (const [name, id] of Object.entries(params)) {
    if (!(name in deps.loaders)) continue;
    const record = await deps.loaders[name as keyof Records](id, params, principal);
    if (record === undefined) throw notFound();
    Object.assign(records, { [name]: record });
  }
  return records;
}

function checkPermission(route: Route, principal: Principal, params: Params, search: URLSearchParams): void {
  if (route.permission === 'any' || route.permission === 'open') return;
  const raised = route.adminQuery !== undefined && isSet(search.get(route.adminQuery));
  if (!allows(principal, raised ? 'admin' : route.permission)) throw forbidden();
  const workspaceWide = params['ws'] !== undefined && params['col'] === undefined && route.limitedKeys !== true;
  if (workspaceWide && principal.collectionIds !== null) {
    throw forbidden('This key is limited to some collections, and this call concerns the whole workspace');
  }
  checkScoped(route, principal, params);
}

/** Throws 403 for a filtered token, unless the route applies its filter or reads the document that was checked. */
function checkScoped(route: Route, principal: Principal, params: Params): void {
  const readsDocument = route.method === 'GET' && params['doc_id'] !== undefined;
  if (scopeOf(principal) === null || route.scoped === true || readsDocument) return;
  throw forbidden('This token is limited by a filter, and this call cannot be');
}

function isSet(value: string | null): boolean {
  const parsed = parseQueryBoolean(value);
  return 'value' in parsed && parsed.value;
}

export function searchOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}
