import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../errors.ts';

/** Scheme and host under which the client reached this service, behind a trusted proxy those of the proxy. */
export const ownOrigin = ({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string =>
  `${protocol}://${host}`;

/** Throws 403 for a request from a page of another origin; requests that are not from a page have no origin. */
export function checkOrigin(request: FastifyRequest, allowed: readonly string[]): void {
  const { origin } = request.headers;
  if (origin === undefined || origin === ownOrigin(request)) return;
  if (!allowed.includes('*') && !allowed.includes(origin)) throw forbidden('This origin may not call the service');
}
