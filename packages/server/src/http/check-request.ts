/** Checks the query and the body of a request by the schemas of its route. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Upload } from '../domain/documents/types.ts';
import { ApiError, type ErrorDetail } from '../errors.ts';
import { decodeCursor, isOurCursor } from '../shared/cursor.ts';
import type { ListQuery } from '../shared/list.ts';
import { validate } from '../validation/details.ts';
import { decodeUtf8, parseJson } from '../validation/json.ts';
import { MISSING, valueProblem } from '../validation/problem.ts';
import { readQuery } from '../validation/query.ts';
import { searchOf, type Access, type AccessDeps } from './access.ts';
import { hasBody, readCountedBody } from './request-body.ts';
import type { Route } from './route.ts';
import { receiveRunForm } from './run-form.ts';
import { discard, type UploadSettings } from './upload.ts';

export interface RequestCheckDeps {
  access: Pick<AccessDeps, 'traffic'>;
  uploads: UploadSettings;
  maxJsonBytes: number;
  /** Maximum number of files in one run. */
  maxFiles: number;
  cursorKey: Buffer;
}

/** A route with the schemas of its query and body. */
export interface CheckedRoute {
  route: Route;
  query: z.ZodObject | undefined;
  body: z.ZodType | undefined;
}

export interface CheckedQuery {
  value: Record<string, unknown>;
  page: ListQuery | undefined;
  /** Identifies the list with its path and filters; a cursor is valid for one scope. */
  scope: string;
  details: ErrorDetail[];
}

export function checkQuery(
  served: CheckedRoute,
  request: FastifyRequest,
  access: Access,
  deps: RequestCheckDeps,
): CheckedQuery {
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

/** Returns the scope of a cursor: one list with its path, filters and order. */
export const scopeOf = (
  path: string,
  { params }: Access,
  filters: Record<string, unknown>,
  order: 'asc' | 'desc',
): string => JSON.stringify([path, params, { ...filters, order }]);

/** Returns where the list continues; an empty cursor means the first page. Adds a detail for an invalid cursor. */
function readCursor(
  cursor: unknown,
  scope: string,
  details: ErrorDetail[],
  deps: RequestCheckDeps,
): string | undefined {
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

export interface CheckedBody {
  body: unknown;
  uploads: readonly Upload[];
}

/** Returns the checked JSON body. Throws one 422 with the details of query and body. */
export async function checkBody(
  { route, body }: CheckedRoute,
  request: FastifyRequest,
  query: CheckedQuery,
  deps: RequestCheckDeps,
): Promise<CheckedBody> {
  if (body === undefined) {
    const details = [...query.details, ...(await checkUnusedBody(route, request, deps))];
    if (details.length > 0) throw new ApiError(422, details);
    return { body: undefined, uploads: [] };
  }
  if (route.upload === 'run') return checkRun(route, body, request, query, deps);
  const text = decodeUtf8(await readCountedBody(request, deps.maxJsonBytes, deps.access.traffic));
  const result = readJson(body, text, route.checkSize);
  const details = [...query.details, ...('details' in result ? result.details : [])];
  if (details.length > 0 || 'details' in result) throw new ApiError(422, details);
  return { body: result.value, uploads: [] };
}

/** Maximum size in bytes of a body that a route does not use; it can only be empty. */
const MAX_UNUSED_BYTES = 64 * 1024;
const EMPTY_BODY = z.strictObject({}).nullish();

/**
 * Refuses fields in the body of a route without one: options such as `dryRun` belong to the query there, and a caller
 * who sends them in the body must not get something else. No body and an empty object are accepted.
 */
async function checkUnusedBody(
  { upload, readsBody }: Route,
  request: FastifyRequest,
  { access }: RequestCheckDeps,
): Promise<readonly ErrorDetail[]> {
  if (upload !== undefined || readsBody === true || !hasBody(request.raw)) return [];
  const text = decodeUtf8(await readCountedBody(request, MAX_UNUSED_BYTES, access.traffic));
  const result = readJson(EMPTY_BODY, text, undefined);
  return 'details' in result ? result.details : [];
}

/** Checks the form of a run, or its blocks as JSON; without `staged` at least one file is required. */
async function checkRun(
  { formFields = [], checkSize }: Route,
  schema: z.ZodType,
  request: FastifyRequest,
  query: CheckedQuery,
  deps: RequestCheckDeps,
): Promise<CheckedBody> {
  const { uploads: spooling, maxFiles, maxJsonBytes: maxBlockBytes } = deps;
  const settings = { ...spooling, maxFiles, maxBlockBytes, blockNames: formFields };
  const form = request.isMultipart() ? await receiveRunForm(request, settings) : null;
  const uploads = form?.uploads ?? [];
  try {
    const checked =
      form === null
        ? readJson(
            schema,
            decodeUtf8(await readCountedBody(request, deps.maxJsonBytes, deps.access.traffic)),
            checkSize,
          )
        : checkJson(schema, form.blocks, checkSize);
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
  return 'value' in parsed ? checkJson(schema, parsed.value, checkSize) : parsed;
}

function checkJson(schema: z.ZodType, value: unknown, checkSize: Route['checkSize']): Checked {
  const details = checkSize?.(value) ?? [];
  return details.length > 0 ? { details } : validate(schema, value, ['body']);
}
