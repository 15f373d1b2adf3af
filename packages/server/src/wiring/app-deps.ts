import type { AppDeps } from '../app.ts';
import type { LeaseRequests } from '../http/plugins/shared-rate-limit.ts';
import type { RateBudgets } from '../database/rate-budgets.ts';
import { ping, pingAnew } from '../database/ping.ts';
import { modelFolder, readModelFiles } from '@quire/models/local/model-files';
import { cachedResolverOptions } from './outbound.ts';
import { NotReady } from '../http/routes/health/checks.ts';
import { subsystem } from '../logger.ts';
import { megabytes, requireFreeSpace, StorageFull } from '@quire/shared/free-space';
import { Liveness } from '../queue/liveness.ts';
import { LANES } from '../queue/lanes.ts';
import { describeQueue } from '../queue/readiness.ts';
import type { Worker } from '../queue/worker.ts';
import type { Parts } from './parts.ts';
import { documentFolders } from './storage.ts';

const leaseFrom =
  (budgets: RateBudgets): LeaseRequests =>
  (keyId, lease) =>
    budgets.lease(`key:${keyId}`, lease);

/** Assembles the dependencies of the HTTP application; `lanes` are the job lanes of this process. */
export function appDeps(parts: Parts, lanes: readonly Worker[]): AppDeps {
  const { config, secrets, services, database, queue, store, sandbox, logger, spoolDir } = parts;
  const liveness = new Liveness({
    lanes: () => lanes.map(({ status }) => status),
    // Jobs use connections of their own: if those are silent, jobs never end, although their lanes fetch more.
    ping: async () => {
      const used = lanes.length === 0 ? [database.db] : [database.db, parts.workDatabase.db];
      await Promise.all(used.map(ping));
    },
    pingAnew: () => pingAnew(database.connection),
    now: () => performance.now(),
  });
  return {
    settings: {
      corsOrigins: config.http.corsOrigins,
      mcp: config.http.mcp,
      basePath: config.http.basePath,
      trustProxy: config.http.trustProxy,
      tls: config.http.tls,
      rateLimitPerMinute: config.http.rateLimitPerMinute,
      traffic: config.http.traffic,
      maxJsonBytes: config.limits.jsonBytes,
      maxFileBytes: config.limits.fileBytes,
      maxFiles: config.limits.runFiles,
      minFreeBytes: config.limits.minFreeBytes,
      uploadDir: spoolDir,
      cursorKey: secrets.cursorKey,
      linkKey: secrets.linkKey,
    },
    services,
    checks: {
      database: () => ping(database.db),
      index: parts.describeIndex,
      storage: async () => {
        await store.stat('readiness');
        const folders = [...documentFolders(config), spoolDir];
        const free = await requireFreeSpace(folders, config.limits.minFreeBytes).catch((error: unknown) => {
          throw error instanceof StorageFull ? new NotReady(error.message) : error;
        });
        return `${megabytes(free)} free`;
      },
      sandbox: async () => {
        if (sandbox.unavailable !== undefined) throw new NotReady(sandbox.unavailable.message);
        return `isolation: ${sandbox.isolation.level}`;
      },
      queue: async () => {
        const { ready, detail } = describeQueue(
          await queue.waits(LANES),
          lanes.map(({ status }) => status),
        );
        if (!ready) throw new NotReady(detail);
        return detail;
      },
      // A missing model only costs searches their dense half, so it does not make a single service unready. One of
      // several is not ready while its model is brought, since the others have it.
      embedder: async () => {
        if (parts.sharedModels?.isPending === true)
          throw new NotReady('the embedding model is brought to this machine');
        const model = await services.embedders.recordedDefault();
        if (model === undefined) return 'not resolved yet';
        const files = await readModelFiles(modelFolder(cachedResolverOptions(config).cacheDir, model.modelId));
        const about = [model.source, files?.measured].filter((text) => text !== undefined);
        return about.length === 0 ? model.modelId : `${model.modelId} (${about.join('; ')})`;
      },
    },
    liveness: () => liveness.check(),
    metrics: parts.metrics,
    leaseRequests: parts.rateBudgets && leaseFrom(parts.rateBudgets),
    logger: subsystem(logger, 'http'),
    now: Date.now,
  };
}
