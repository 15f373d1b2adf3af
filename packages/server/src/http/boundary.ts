import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

/** Maximum length of the boundary of a multipart form (RFC 2046, section 5.1.1). */
export const MAX_BOUNDARY_LENGTH = 70;

/** Throws 422 for a boundary that is too long. */
export function checkBoundary(request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? '';
  const [, ...parameters] = type.split(';').map((part) => part.trim());
  const boundary = parameters.find((part) => part.toLowerCase().startsWith('boundary='))?.slice('boundary='.length);
  const length = boundary?.replaceAll('"', '').length ?? 0;
  if (length <= MAX_BOUNDARY_LENGTH) return;
  throw new ApiError(422, [
    {
      loc: ['header', 'content-type'],
      msg: `The boundary should have at most ${MAX_BOUNDARY_LENGTH} characters`,
      type: 'string_too_long',
      ctx: { max_length: MAX_BOUNDARY_LENGTH, limit: MAX_BOUNDARY_LENGTH },
    },
  ]);
}
