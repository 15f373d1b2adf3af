import type { FastifyInstance } from 'fastify';
import { badRequest } from '../errors.ts';

/** Answers 400 to a request that names its host twice: a proxy and this service could read different ones. */
export function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isNamedTwice(request.raw.rawHeaders, 'host')) done(badRequest('The request has more than one Host header'));
    else done();
  });
}

function isNamedTwice(rawHeaders: readonly string[], header: string): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === header.length && name.toLowerCase() === header) count += 1;
  }
  return count > 1;
}
