/**
 * Answers every failure in the one shape of the contract. An internal failure is logged; its answer names only the
 * request id.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { IndexUnavailableError } from '@quire/search/search-index';
import { ApiError, apiError, badRequest, MAX_DETAILS } from '../../errors.ts';
import { StorageFull } from '../../shared/free-space.ts';
import { redactDetail } from '../../validation/redact.ts';

/** Codes of a PostgreSQL that is unreachable, starting, stopping or out of connections, and of network failures. */
const UNAVAILABLE = /^(08...|57P0.|53300|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT)$/;
/** Codes of a full disk or quota: of the file system, and `disk_full` of PostgreSQL. */
const DISK_FULL = /^(ENOSPC|EDQUOT|53100)$/;
/** Message of a timeout of pg's pool, which has no code. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';

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
  const { code, statusCode, name, message } = (error ?? {}) as Partial<FastifyError>;
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode !== undefined && statusCode < 500)
    return fromFastify(error, statusCode);
  // A request is aborted when its client has disconnected or the service is stopping.
  if (error instanceof StorageFull || (typeof code === 'string' && DISK_FULL.test(code))) return storageFull(requestId);
  if (error instanceof IndexUnavailableError) {
    const detail = { loc: [], msg: error.message, type: 'unavailable', ctx: { requestId } };
    return new ApiError(503, [detail], { 'retry-after': String(error.retryAfterSeconds) });
  }
  const unavailable = typeof code === 'string' ? UNAVAILABLE.test(code) : message === NO_CONNECTION;
  if (name === 'AbortError' || unavailable) {
    const detail = {
      loc: [],
      msg: 'The service is not available for a moment',
      type: 'unavailable',
      ctx: { requestId },
    };
    return new ApiError(503, [detail], { 'retry-after': '2' });
  }
  return apiError(500, 'internal', 'Internal server error', { ctx: { requestId } });
}

function storageFull(requestId: string): ApiError {
  const msg = 'The service has no storage space left';
  return new ApiError(503, [{ loc: [], msg, type: 'storage_full', ctx: { requestId } }], { 'retry-after': '30' });
}

function fromFastify(error: unknown, status: number): ApiError {
  const message = error instanceof Error ? error.message : 'The request cannot be read';
  if (status === 404) return apiError(404, 'not_found', 'Not found');
  if (status === 413) return apiError(413, 'body_too_large', message, { loc: ['body'] });
  return badRequest(message);
}
