/** Every failure leaves the service in the contract's one shape. What is ours to fix is logged and told by id only. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, apiError, badRequest } from '../../errors.ts';
import { redactDetail } from '../validation/redact.ts';

/** PostgreSQL is away, starting, stopping or out of connections; or the network to something of ours is. */
const UNAVAILABLE = /^(08...|57P0.|53300|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT)$/;
/** What pg's pool says, without a code, when every connection was busy for its whole patience. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toApiError(error, request.id);
  if (known.status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed');
  return reply
    .code(known.status)
    .headers({ ...known.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ detail: known.details.map(redactDetail) }));
}

export function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode, name, message } = (error ?? {}) as Partial<FastifyError>;
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode !== undefined && statusCode < 500)
    return fromFastify(error, statusCode);
  // Aborted: the client is gone and sees nothing, or the service is being stopped.
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

function fromFastify(error: unknown, status: number): ApiError {
  const message = error instanceof Error ? error.message : 'The request cannot be read';
  if (status === 404) return apiError(404, 'not_found', 'Not found');
  if (status === 413) return apiError(413, 'body_too_large', message, { loc: ['body'] });
  return badRequest(message);
}
