/** Builds the job handlers of a worker process. */
import { IndexBuilds } from '../domain/collections/index-builds.ts';
import { IndexSweeps } from '../domain/collections/index-sweeps.ts';
import { openDefaultEmbedder } from '../domain/configurations/default-embedder.ts';
import { ArchiveIngestion } from '../domain/documents/archive-ingestion.ts';
import { WorkspaceErasure } from '../domain/workspaces/erasure.ts';
import { presentWorkspace, subsystem } from '../logger.ts';
import { IndexWriter } from '@quire/search/index-writer';
import type { JobName } from '../queue/job-queue.ts';
import { LANES, type LaneName } from '../queue/lanes.ts';
import type { JobHandlers } from '../queue/worker.ts';
import { ingestDocument } from '../workers/ingest-document.ts';
import { processRun } from '../workers/process-run.ts';
import { optimizeIndex } from '../workers/optimize-index.ts';
import { purgeCollection, purgeContent, purgeDocuments, purgeWorkspace } from '../workers/purge.ts';
import { rebuildIndex } from '../workers/rebuild-index.ts';
import { deleteConnectorDocuments, syncConnector } from '../workers/sync-connector.ts';
import { sweepIndex } from '../workers/sweep-index.ts';
import { parseLimits } from './limits.ts';
import type { Parts } from './parts.ts';

/** Returns the handlers of a lane by job name. Call `close` once no job runs. */
export function buildHandlers(parts: Parts): {
  handlersOf: (lane: LaneName) => JobHandlers;
  close: () => Promise<void>;
} {
  const { config, store, queue, searchIndex, logger, notifications } = parts;
  const { sandbox, embedderFor, ingestion } = parts.services;
  const database = parts.workDatabase.db;
  const builds = new IndexBuilds({
    database,
    queue,
    onBatchFailed: (error) => logger.warn({ err: error }, 'a batch of chunks of a re-index could not be stored'),
  });
  const sweeps = new IndexSweeps({ database });
  const writer = new IndexWriter(searchIndex, {
    // Writes to an index in memory are not collected, because a shared commit would not make them cheaper.
    commitIntervalMs: 0,
    presentOwner: presentWorkspace,
    onError: (error) => logger.warn({ err: error }, 'the index writer could not ask for an optimisation'),
    requestOptimize: async (table) => {
      const index = await builds.findByTable(table.name);
      // An index that is being built is optimized once, at the end.
      if (index === undefined || index.status === 'building') return true;
      const { collection_id: collectionId, generation } = index;
      const key = `optimize:${collectionId}:${generation}`;
      // The key alone does not prevent a second job while one runs. Both would rewrite the whole table, detect the
      // change of the other, and start again.
      const state = (await queue.states([key])).get(key);
      if (state === undefined) await queue.enqueue(database, 'optimize-index', { collectionId, generation }, { key });
      return state !== 'running';
    },
  });
  const purge = { database, queue, store, searchIndex, sweeps, workspaces: new WorkspaceErasure({ database }) };
  const ingest = ingestDocument({
    store,
    sandbox,
    writer,
    limits: parseLimits(config),
    ingestion,
    archives: new ArchiveIngestion({ database, queue, notifications, store, quota: parts.quota }),
    embedderFor,
    limitPixels: config.limits.pixels,
    parserFor: ({ collection }) => parts.services.documentParsers.ofCollection(collection),
    deadlineMs: config.processing.deadlineMs,
    observe: (outcome, format, seconds) => {
      parts.metrics.countDocument(outcome, format);
      parts.metrics.observeStage('all', seconds);
    },
    observeWarnings: (warnings) => {
      for (const { type } of warnings) parts.metrics.countWarning(type);
    },
    logger,
  });
  const handlers: Required<JobHandlers> = {
    'ingest-document': ingest,
    'ingest-small-document': ingest,
    'process-run': processRun({
      processing: parts.services.runProcessing,
      sandbox,
      store,
      parserFor: async (run) => {
        const { record, config: parserConfig } = await parts.services.parsers.choose(run.workspace_id, run.config);
        return { ...parts.services.documentParsers.of(record, parserConfig), limits: parseLimits(config) };
      },
      openModel: (workspaceId, modelId) => parts.services.chatModels.open(workspaceId, modelId),
      openEmbedder: (workspaceId) =>
        openDefaultEmbedder(workspaceId, { database: parts.database.db, embedders: parts.services.embedders }),
      maxFileBytes: config.limits.fileBytes,
      deadlineMs: config.processing.deadlineMs,
      observe: (status, seconds) => parts.metrics.observeRun(status, seconds),
      logger: subsystem(logger, 'runs'),
    }),
    'rebuild-index': rebuildIndex({
      store,
      sandbox,
      writer,
      builds,
      searchIndex,
      embedderFor,
      knownEmbeddings: (document, index) => builds.knownEmbeddings(document, index),
      logger,
    }),
    'optimize-index': optimizeIndex({ builds, searchIndex }),
    'sweep-index': sweepIndex({ sweeps, searchIndex }),
    'purge-documents': purgeDocuments(purge),
    'purge-content': purgeContent(purge),
    'purge-collection': purgeCollection(purge),
    'purge-workspace': purgeWorkspace(purge),
    'sync-connector': syncConnector({ runs: parts.services.syncRuns }),
    'delete-connector-documents': deleteConnectorDocuments({ deleteNext: parts.services.deleteImported }),
  };
  return {
    handlersOf: (lane) =>
      Object.fromEntries(Object.entries(handlers).filter(([name]) => LANES[name as JobName] === lane)),
    close: () => writer.close(),
  };
}
