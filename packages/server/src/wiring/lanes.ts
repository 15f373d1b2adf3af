/** The job lanes of a process: their handlers and connections, their place in metrics and readiness. */
import { createPool } from '../database/connect.ts';
import { subsystem } from '../logger.ts';
import type { Instance } from '../queue/instance.ts';
import type { LaneName } from '../queue/lanes.ts';
import { reservedSlots } from '../queue/reserved-slots.ts';
import { Worker } from '../queue/worker.ts';
import type { ExhaustedHook } from '../queue/sweeper.ts';
import { LANE_CONNECTIONS } from './connections.ts';
import { buildHandlers } from './handlers.ts';
import type { Parts } from './parts.ts';

/** Limit for each statement of a lane; they take milliseconds. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Small documents mostly wait for disk and index, and those that wait together are written in one batch. */
const SMALL_CONCURRENCY_FACTOR = 4;
const SMALL_GATHER_MS = 20;
const SMALL_BUSY_MS = 100;
/** Number of connectors that are synchronised at once; slices of time let the others have their turn. */
const CONNECTOR_CONCURRENCY = 2;
const CONNECTOR_GATHER_MS = 250;
/** Running jobs may finish during this part of the time that a stop may take. */
const GRACE_MS = 5_000;
const ABORT_MS = 2_000;

export interface Lanes {
  all: readonly Worker[];
  /** Ends the lanes, then what their handlers use. */
  stop(): Promise<void>;
}

export async function startLanes(parts: Parts, instance: Instance, onExhausted: ExhaustedHook): Promise<Lanes> {
  const { workerConcurrency } = parts.config.processing;
  const { handlersOf, close } = buildHandlers(parts);
  const logger = subsystem(parts.logger, 'queue');
  const pools: { end(): Promise<void> }[] = [];
  const start = (name: LaneName, pace: { concurrency: number; gatherMs: number; busyMs?: number }) => {
    const pool = createPool({
      connection: parts.database.connection,
      poolSize: LANE_CONNECTIONS,
      asynchronousCommit: true,
      queryTimeoutMs: STATEMENT_TIMEOUT_MS,
      applicationName: `quire jobs ${name}`,
      logger,
    });
    pools.push(pool);
    const { notifications } = parts;
    const timing = { graceMs: GRACE_MS, abortMs: ABORT_MS };
    return Worker.start({
      name,
      pool,
      notifications,
      handlers: handlersOf(name),
      instance,
      logger,
      onExhausted,
      ...pace,
      reserve: reservedSlots(pace.concurrency),
      ...timing,
    });
  };
  const small = {
    concurrency: workerConcurrency * SMALL_CONCURRENCY_FACTOR,
    gatherMs: SMALL_GATHER_MS,
    busyMs: SMALL_BUSY_MS,
  };
  const all = [
    await start('main', { concurrency: workerConcurrency, gatherMs: 0 }),
    await start('small-documents', small),
    await start('connectors', { concurrency: CONNECTOR_CONCURRENCY, gatherMs: CONNECTOR_GATHER_MS }),
  ];
  observe(parts, all);
  return {
    all,
    stop: async () => {
      await Promise.all(all.map((lane) => lane.stop()));
      await close();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

function observe({ metrics }: Parts, lanes: readonly Worker[]): void {
  metrics.addGauge(
    'quire_job_lane_silence_seconds',
    'Time since the database last answered a job lane',
    ['lane'],
    async () => lanes.map(({ status }) => ({ labels: { lane: status.name }, value: status.silentMs / 1000 })),
  );
  metrics.addGauge(
    'quire_job_lane_restarts',
    'Number of times a stalled job lane was restarted since the process started',
    ['lane'],
    async () => lanes.map(({ status }) => ({ labels: { lane: status.name }, value: status.restarts })),
  );
}
