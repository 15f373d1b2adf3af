import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../errors.ts';
import { isLoopbackAddress, isLoopbackName } from '../loopback.ts';

/** Scheme and host under which the client reached this service, behind a trusted proxy those of the proxy. */
export const ownOrigin = ({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string =>
  `${protocol}://${host}`;

/**
 * Whether a page reached this machine under a foreign name. With DNS rebinding, the name of a page is pointed at
 * 127.0.0.1, so that its origin looks like that of the service. Behind a trusted proxy, the name is that of the proxy.
 */
const isRebound = ({ ips, hostname, socket }: FastifyRequest): boolean =>
  ips === undefined && isLoopbackAddress(socket.localAddress ?? '') && !isLoopbackName(hostname);

/** Throws 403 for a request from a page of another origin; requests that are not from a page have no origin. */
export function checkOrigin(request: FastifyRequest, allowed: readonly string[]): void {
  const { origin } = request.headers;
  if (origin === undefined || (origin === ownOrigin(request) && !isRebound(request))) return;
  if (!allowed.includes('*') && !allowed.includes(origin)) throw forbidden('This origin may not call the service');
}
