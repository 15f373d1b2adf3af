import type { Metrics } from '../../../metrics.ts';
import { ApiError } from '../../../errors.ts';
import { VERSION } from '../../../version.ts';
import { ok, route, type Route } from '../../route.ts';
import { runChecks, type DependencyChecks } from './checks.ts';
import { healthShape, readinessShape } from './schemas.ts';

const tag = 'Service';

/** Resolves to the reason why only a restart helps this process; null if it is well. */
export type LivenessCheck = () => Promise<string | null>;

export function healthRoutes(
  checks: DependencyChecks,
  metrics: Metrics,
  liveness: LivenessCheck = async () => null,
): Route[] {
  return [
    route({
      method: 'GET',
      path: '/healthz',
      operationId: 'getHealth',
      summary: 'Whether the process is alive; 503 if only a restart helps it',
      tag,
      permission: 'open',
      response: healthShape,
      handler: async () => {
        const reason = await liveness();
        if (reason === null) return ok({ alive: true, version: VERSION });
        throw new ApiError(503, [{ loc: [], msg: `Not alive: ${reason}`, type: 'unavailable' }]);
      },
    }),
    route({
      method: 'GET',
      path: '/readyz',
      operationId: 'getReadiness',
      summary: 'Whether the service can do its work, with each thing it depends on',
      tag,
      permission: 'open',
      response: readinessShape,
      handler: async () => {
        const dependencies = await runChecks(checks);
        const failed = Object.keys(dependencies).filter((name) => dependencies[name]?.ok === false);
        if (failed.length === 0) return ok({ dependencies });
        const msg = `Not ready: ${failed.join(', ')}`;
        throw new ApiError(503, [{ loc: [], msg, type: 'unavailable', ctx: { dependencies } }], { 'retry-after': '5' });
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      operationId: 'getMetrics',
      summary: "Metrics in Prometheus' format",
      tag,
      permission: 'root',
      response: 'text/plain',
      handler: async ({ reply }) => reply.type(metrics.contentType).send(await metrics.render()),
    }),
  ];
}
