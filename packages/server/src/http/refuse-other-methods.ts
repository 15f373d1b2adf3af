/** Answers 405 with `Allow` to the methods that a path does not have; under `/v1` only with a valid key. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import { ApiError } from '../errors.ts';
import { authenticate, type AccessDeps } from './access.ts';
import type { Route } from './route.ts';
import { ROUTER_OPTIONS, toFastifyPath } from './router.ts';

/** The methods that routes use, in the order of an `Allow` header. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const USED: ReadonlySet<string> = new Set(METHODS);

type Refusal = (request: FastifyRequest, reply: FastifyReply) => Promise<never>;

export function refuseOtherMethods(app: FastifyInstance, routes: readonly Route[], access: AccessDeps): void {
  // Methods that no route uses have no route for their refusal either: 27 for each path would take 0.1 s of each start.
  const refusals = findMyWay(ROUTER_OPTIONS);
  for (const group of byPath(routes)) {
    const [first] = group;
    if (first === undefined) continue;
    const known = new Set<string>(group.map((each) => each.method));
    if (known.has('GET')) known.add('HEAD');
    const allow = METHODS.filter((method) => known.has(method)).join(', ');
    const refuse: Refusal = async (request, reply) => {
      delete request.raw.headers['content-type'];
      if (first.permission !== 'open') await authenticate(request, reply, access);
      throw new ApiError(405, [{ loc: [], msg: 'Method not allowed', type: 'method_not_allowed' }], { allow });
    };
    const url = toFastifyPath(first.path);
    const method = METHODS.filter((each) => !known.has(each));
    app.route({ method, url, config: { template: first.path }, onRequest: refuse, handler: () => undefined });
    refusals.on('GET', url, () => undefined, refuse);
  }
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || USED.has(request.method)) return;
    await (refusals.find('GET', request.url)?.store as Refusal | undefined)?.(request, reply);
  });
}

/** Groups the routes whose paths differ in the names of their parameters only. */
function byPath(routes: readonly Route[]): Iterable<readonly Route[]> {
  const groups = new Map<string, Route[]>();
  for (const each of routes) {
    const shape = each.path.replaceAll(/\{\w+\}/g, '{}');
    groups.set(shape, [...(groups.get(shape) ?? []), each]);
  }
  return groups.values();
}
