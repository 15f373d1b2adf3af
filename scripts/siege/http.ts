/**
 * Attacks the HTTP server of a fresh service by each load and then by all together, and prints what a client of
 * `/healthz` sees meanwhile: `npm run siege:http -- --seconds 60`.
 */
import { parseArgs } from 'node:util';
import { startService } from '../../packages/server/test/service-process.ts';
import { httpLoads } from './http-loads.ts';
import type { SiegeCounts, SiegeLoad } from './load.ts';
import { startProbe } from './probe.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});

const service = await startService();
try {
  for (const loads of [...httpLoads.map((load) => [load]), httpLoads]) {
    const endProbe = await startProbe(service.address, service.rootKey, service.pid);
    const signal = AbortSignal.timeout(Number(values.seconds) * 1_000);
    const target = { url: service.address, key: service.rootKey, seed: Number(values.seed), signal };
    const outcomes = await Promise.all(loads.map(async (load) => [load.name, await outcomeOf(load, target)]));
    process.stdout.write(`${JSON.stringify({ ...Object.fromEntries(outcomes), probe: await endProbe() })}\n`);
  }
} finally {
  await service.stop();
}

/** A load that is cut off by the end of its time has no counts. */
async function outcomeOf(load: SiegeLoad, target: Parameters<SiegeLoad['run']>[0]): Promise<SiegeCounts | string> {
  try {
    return await load.run(target);
  } catch (error) {
    if (target.signal.aborted) return 'out of time';
    throw error;
  }
}
