/**
 * Answers every failure in the one shape of the contract. An internal failure is logged; its answer names only the
 * request id.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { IndexUnavailableError } from '@quire/search/search-index';
import { isStorageFull } from '@quire/shared/free-space';
import { ApiError, apiError, badRequest, MAX_DETAILS } from '../../errors.ts';
import { isConnectionLoss } from '../../shared/connection-loss.ts';
import { isOutdatedPlan } from '../../shared/outdated-plan.ts';
import { FilterTimeout } from '../../shared/filter-timeout.ts';
import { StorageUnavailable } from '../../shared/storage-unavailable.ts';
import { redactDetail } from '../../validation/redact.ts';

/**
 * Codes of a PostgreSQL that is unreachable, starting, stopping, read-only after a failover, or out of connections or
 * memory; of a transaction that lost against another one; of network failures; and of a disk that fails, for the
 * service and for PostgreSQL.
 */
const UNAVAILABLE =
  /^(08...|57P0.|53300|53200|25006|40001|40P01|55P03|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EIO|EROFS|58030)$/;
/** Code of a statement that PostgreSQL cancelled at the limit of `QUIRE_STATEMENT_TIMEOUT_SECONDS`. */
const STATEMENT_CANCELLED = '57014';
const FILTER_TIMEOUT =
  'The filter reached its time limit in the database (QUIRE_FILTER_TIMEOUT_SECONDS): a condition that a value is equal ' +
  'to another makes it faster';

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toApiError(error, request.id);
  if (known.status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed');
  return reply
    .code(known.status)
    .headers({ ...known.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ detail: known.details.slice(0, MAX_DETAILS).map(redactDetail) }));
}

export function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode, name } = (error ?? {}) as Partial<FastifyError>;
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode !== undefined && statusCode < 500)
    return fromFastify(error, statusCode);
  // A request is aborted when its client has disconnected or the service is stopping.
  if (isStorageFull(error)) return storageFull(requestId);
  if (error instanceof FilterTimeout) return notNow('timeout', FILTER_TIMEOUT, 5, requestId);
  if (code === STATEMENT_CANCELLED)
    return notNow('timeout', 'A statement of this request reached its time limit in the database', 5, requestId);
  if (error instanceof IndexUnavailableError)
    return notNow('unavailable', error.message, error.retryAfterSeconds, requestId);
  if (error instanceof StorageUnavailable)
    return notNow('unavailable', 'The object store does not answer for a moment', 2, requestId);
  if (name === 'AbortError' || isUnavailable(error, code))
    return notNow('unavailable', 'The service is not available for a moment', 2, requestId);
  return apiError(500, 'internal', 'Internal server error', { ctx: { requestId } });
}

const isUnavailable = (error: unknown, code: unknown): boolean =>
  (typeof code === 'string' && UNAVAILABLE.test(code)) || isConnectionLoss(error) || isOutdatedPlan(error);

const notNow = (type: string, msg: string, retryAfter: number, requestId: string): ApiError =>
  new ApiError(503, [{ loc: [], msg, type, ctx: { requestId } }], { 'retry-after': String(retryAfter) });

const storageFull = (requestId: string): ApiError =>
  notNow('storage_full', 'The service has no storage space left', 30, requestId);

function fromFastify(error: unknown, status: number): ApiError {
  const message = error instanceof Error ? error.message : 'The request cannot be read';
  if (status === 404) return apiError(404, 'not_found', 'Not found');
  if (status === 413) return apiError(413, 'body_too_large', message, { loc: ['body'] });
  return badRequest(message);
}
