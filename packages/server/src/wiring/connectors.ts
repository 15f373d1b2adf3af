/** Connectors: what clients deal with, the runs of synchronisations, and their maintenance. */
import { KINDS } from '@quire/connectors/kinds/registry';
import { deleteImported } from '../domain/connectors/forget-documents.ts';
import { ConnectorMaintenance } from '../domain/connectors/maintenance.ts';
import { openConnector } from '../domain/connectors/open-connector.ts';
import { ConnectorService } from '../domain/connectors/service.ts';
import { SyncRuns } from '../domain/connectors/sync/sync-runs.ts';
import { SyncService } from '../domain/connectors/sync/syncs.ts';
import type { ConnectorKinds } from '../domain/connectors/types.ts';
import { DocumentRemoval } from '../domain/documents/removal.ts';
import { DocumentService } from '../domain/documents/service.ts';
import type { InspectUpload } from '../domain/documents/types.ts';
import { discard, spool } from '../http/upload.ts';
import { subsystem } from '../logger.ts';
import type { JobClaim } from '../queue/job-queue.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import type { Foundation } from './foundation.ts';

/** Values that tests replace. */
export interface ConnectorSettings {
  kinds: ConnectorKinds;
  /** Interval of the search for due synchronisations, in ms. */
  scheduleMs: number;
  /** Maximum duration of a test of a source, in ms. */
  testMs: number;
  sliceMs: number;
  deadlineMs: number;
  maxIndexing: number;
  backlogDelayMs: number;
  retryDelayMs: (failures: number) => number;
  sourceDelayMs: (failures: number) => number;
  now: () => number;
  random: () => number;
}

const DEFAULT_CONCURRENCY = 4;

export const CONNECTOR_SETTINGS: ConnectorSettings = {
  kinds: KINDS,
  scheduleMs: 5_000,
  testMs: 20_000,
  sliceMs: 30_000,
  deadlineMs: 24 * 3_600_000,
  maxIndexing: 200,
  backlogDelayMs: 1_000,
  // 2, 8, 32, 128 s
  retryDelayMs: (failures) => 500 * 4 ** failures,
  // 5, 15, 45, 135, 405 s: ten minutes in all
  sourceDelayMs: (failures) => 5_000 * 3 ** (failures - 1),
  now: Date.now,
  random: Math.random,
};

export function buildConnectors(parts: Foundation, secretBox: SecretBox, inspectUpload: InspectUpload) {
  const { config, queue, notifications, store, outbound, metrics, connectorSettings: settings } = parts;
  const logger = subsystem(parts.logger, 'connectors');
  const { kinds, now, random } = settings;
  const source = { kinds, secretBox, outbound, maxFileBytes: config.limits.fileBytes };
  const requests = { database: parts.database.db, queue, notifications, now, random };
  const jobs = { ...requests, database: parts.connectorDatabase.db };
  const syncs = new SyncService(requests);
  const documents = new DocumentService({
    database: jobs.database,
    queue,
    store,
    notifications,
    inspectUpload,
    quota: parts.quota,
    onBatchFailed: (error) => logger.warn({ err: error }, 'a batch of documents could not be committed'),
  });
  const directory = parts.spoolDir;
  const syncRuns = new SyncRuns({
    ...jobs,
    ...settings,
    documents,
    removal: new DocumentRemoval(jobs),
    spool: (body, maxFileBytes) => spool(body, { directory, maxFileBytes, minFreeBytes: config.limits.minFreeBytes }),
    discard,
    maxFileBytes: config.limits.fileBytes,
    open: ({ connector, sync }, changesSince) =>
      openConnector(connector, { changesSince, isDryRun: sync.dry_run }, { ...source, database: jobs.database }),
    concurrency: ({ connector }) => kinds[connector.kind]?.fetchConcurrency ?? DEFAULT_CONCURRENCY,
    observeFetch: (kind, outcome) => metrics.countFetch(kind, outcome),
    observeSync: (kind, status, seconds) => metrics.observeSync(kind, status, seconds),
    onError: (error, syncId) => logger.warn({ err: error, syncId }, 'a slice of a synchronisation failed'),
  });
  return {
    connectors: new ConnectorService({ ...requests, ...source, syncs, testMs: settings.testMs }),
    syncs,
    syncRuns,
    connectorMaintenance: new ConnectorMaintenance({ ...requests, deadlineMs: settings.deadlineMs }),
    deleteImported: (connector: Parameters<typeof deleteImported>[2], job: JobClaim) =>
      deleteImported(jobs.database, notifications, connector, job),
  };
}
