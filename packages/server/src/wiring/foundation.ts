/** The parts that are opened and closed: database, storage, index, sandbox, models, outbound client. */
import path from 'node:path';
import { findLastBackup } from '../backup/last-backup.ts';
import type { Config } from '../config/config.ts';
import { discardKey, isKeyLost, loadSecrets, type Secrets } from '../config/secrets.ts';
import { LANES } from '../queue/lanes.ts';
import type { LaneWait } from '../queue/graphile-queue.ts';
import { connectDatabase, type DatabaseHandle } from '../database/connect.ts';
import { RateBudgets } from '../database/rate-budgets.ts';
import { PostgresNotifications } from '../database/notifications-postgres.ts';
import { countPending } from '../domain/webhooks/delivery-repository.ts';
import { WorkspaceQuota } from '../domain/workspaces/quota.ts';
import { joinInstallation } from '../installation.ts';
import { presentWorkspace, type Logger } from '../logger.ts';
import { Metrics } from '../metrics.ts';
import type { OutboundClient } from '@quire/outbound/outbound-client';
import { openDatabase, type OpenDatabase } from '../open-database.ts';
import { openTaskPool, type TaskPool } from '@quire/process/tasks/task-pool';
import { LocalChatModels } from '@quire/models/local/local-chat-models';
import { LocalRerankers } from '@quire/models/local/local-rerankers';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { systemClock } from '@quire/models/remote/clock';
import { GraphileJobQueue } from '../queue/graphile-queue.ts';
import type { SearchIndex } from '@quire/search/search-index';
import type { ObjectStore } from '../storage/object-store.ts';
import { CONNECTOR_CONNECTIONS, REQUEST_CONNECTIONS, workConnections } from './connections.ts';
import type { ConnectorSettings } from './connectors.ts';
import { requireFreeSpace } from '@quire/shared/free-space';
import { withFreeSpace } from '../storage/with-free-space.ts';
import { documentFolders, openStore } from './storage.ts';
import { cachedResolverOptions, openOutbound } from './outbound.ts';
import { openSearchIndex } from './search-index.ts';
import { SharedModels } from '../shared-models.ts';
import { recordProviderCall } from '../tracing.ts';
import { ensurePrivateFolder, openRuntimeFolder, tightenEntries } from '../config/private-folder.ts';

/** Share of the collections of a cluster that one check may rebuild. */
const MAX_LOST_SHARE = 0.05;

/** The parts that all services use. */
export interface Foundation {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  secrets: Secrets;
  database: OpenDatabase;
  /** Pool of job handlers. Their work is repeated after a crash, so their commits need not wait for the disk. */
  workDatabase: DatabaseHandle;
  /** Pool of the synchronisations of connectors. */
  connectorDatabase: DatabaseHandle;
  connectorSettings: ConnectorSettings;
  /** Limits that processes share; null for a service that is one process. */
  rateBudgets: RateBudgets | null;
  queue: GraphileJobQueue;
  notifications: PostgresNotifications;
  store: ObjectStore;
  quota: WorkspaceQuota;
  searchIndex: SearchIndex;
  /** Copies of models that processes share; null for a service with the embedded database. */
  sharedModels: SharedModels | null;
  /** Describes the state of the search index; rejects when it cannot be reached. */
  describeIndex: () => Promise<string>;
  /** Limit of `IndexCheckDeps`. */
  maxLostShare: number | null;
  sandbox: TaskPool;
  localEmbedders: LocalEmbedders;
  localRerankers: LocalRerankers;
  outbound: OutboundClient;
  localChatModels: LocalChatModels;
  spoolDir: string;
}

/** Opens the parts. Rejects, after closing what was opened, if one does not open or the signal is aborted. */
export async function openFoundation(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
  connectorSettings: ConnectorSettings,
): Promise<{ foundation: Foundation; close: () => Promise<void> }> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    await ensurePrivateFolder(config.dataDir, 'QUIRE_DATA_DIR');
    await tightenEntries(config.dataDir);
    const isKeyNew = isKeyLost(config);
    const secrets = await loadSecrets(config);
    const spool = await openRuntimeFolder(config.spoolDir, 'QUIRE_SPOOL_DIR');
    closers.push(() => spool.remove());
    // Trying the walls of the parser processes takes 0.1 s, so PostgreSQL starts meanwhile.
    const openingSandbox = openSandbox(config, logger, spool.path);
    const sandboxSettled = Promise.allSettled([openingSandbox]);
    closers.push(async () => {
      for (const opened of await sandboxSettled) if (opened.status === 'fulfilled') await opened.value.close();
    });
    const { database, workDatabase, connectorDatabase } = await openDatabases(config, logger, signal, closers);
    signal.throwIfAborted();
    const notifications = await PostgresNotifications.connect({ connection: database.connection, logger });
    closers.push(() => notifications.close());
    const opened = await openStore(config, spool.path);
    closers.push(() => opened.close());
    await join(config, { database, keyId: secrets.keyId, store: opened, isKeyNew });
    const folders = [...documentFolders(config), spool.path];
    const requireRoom = (bytes: number) => requireFreeSpace(folders, config.limits.minFreeBytes, bytes);
    const store = withFreeSpace(opened, requireRoom, config.storage.kind !== 'folder');
    signal.throwIfAborted();
    const searching = await openSearchIndex(config, { database, notifications, logger });
    const searchIndex = searching.index;
    closers.push(() => searching.close());
    signal.throwIfAborted();
    const sandbox = await openingSandbox;
    const { level, program } = sandbox.isolation;
    logger.info({ isolation: level, program }, 'isolation of the parser processes');
    const localEmbedders = new LocalEmbedders({ ...cachedResolverOptions(config), presentOwner: presentWorkspace });
    closers.push(() => localEmbedders.close());
    const localRerankers = new LocalRerankers(config.modelDir, presentWorkspace);
    closers.push(() => localRerankers.close());
    const outbound = await openOutbound(config);
    closers.push(async () => outbound.close());
    const queue = new GraphileJobQueue(database.db);
    const metrics = new Metrics();
    const localChatModels = new LocalChatModels({
      resolver: cachedResolverOptions(config),
      dataDir: config.dataDir,
      clock: systemClock,
      observe: (call) => {
        metrics.observeProviderCall(call);
        recordProviderCall(call);
      },
    });
    closers.push(async () => localChatModels.close());
    addGauges(metrics, { database, queue, store });
    metrics.watchSearchIndex(searching.stats);
    const foundation = {
      config,
      logger,
      metrics,
      secrets,
      database,
      workDatabase,
      connectorDatabase,
      connectorSettings,
      rateBudgets: config.databaseUrl === null ? null : new RateBudgets({ database: database.db }),
      queue,
      notifications,
      store,
      quota: new WorkspaceQuota(config.quota),
      searchIndex,
      describeIndex: searching.describe,
      sharedModels:
        config.databaseUrl === null ? null : new SharedModels(store, cachedResolverOptions(config).cacheDir),
      maxLostShare: config.indexCluster === null ? null : MAX_LOST_SHARE,
      sandbox,
      localEmbedders,
      localRerankers,
      outbound,
      localChatModels,
      spoolDir: spool.path,
    };
    return { foundation, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Joins the installation of the database. A key that was made for the database of another key is removed again. */
async function join(
  config: Config,
  own: { database: OpenDatabase; keyId: string; store: ObjectStore; isKeyNew: boolean },
): Promise<void> {
  try {
    await joinInstallation(own.database.pool, config, own);
  } catch (error) {
    if (own.isKeyNew) await discardKey(config.dataDir);
    throw error;
  }
}

const openSandbox = (config: Config, logger: Logger, spoolDir: string): Promise<TaskPool> =>
  openTaskPool({
    size: config.processing.parseProcesses,
    memoryBytes: config.processing.parseMemoryBytes,
    // On the file system of the originals, so that a child gets an original by a link and not by a copy.
    directory: path.join(config.dataDir, 'sandbox'),
    hidden: [...documentFolders(config), spoolDir].map((place) => path.resolve(place)),
    onUnavailable: (failure) => logger.error({ err: failure }, 'a process that reads files did not start'),
  });

/** Opens the database with the pools of requests, of jobs and of connectors, and adds their closers. */
async function openDatabases(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
  closers: (() => Promise<void>)[],
): Promise<Pick<Foundation, 'database' | 'workDatabase' | 'connectorDatabase'>> {
  const database = await openDatabase(config, logger, {
    poolSize: REQUEST_CONNECTIONS,
    ...(config.statementTimeoutMs === null ? {} : { statementTimeoutMs: config.statementTimeoutMs }),
    ...(config.filterTimeoutMs === null ? {} : { filterTimeoutMs: config.filterTimeoutMs }),
    exclusive: true,
    signal,
  });
  closers.push(() => database.close());
  const { connection } = database;
  const workDatabase = connectDatabase({
    connection,
    poolSize: workConnections(config.processing),
    applicationName: 'quire work',
    asynchronousCommit: true,
    logger,
  });
  closers.push(() => workDatabase.close());
  const connectorDatabase = connectDatabase({
    connection,
    poolSize: CONNECTOR_CONNECTIONS,
    applicationName: 'quire connectors',
    logger,
  });
  closers.push(() => connectorDatabase.close());
  return { database, workDatabase, connectorDatabase };
}

/** Adds the gauges of the parts, which are read with each request for metrics. */
function addGauges(
  metrics: Metrics,
  { database, queue, store }: Pick<Foundation, 'database' | 'queue' | 'store'>,
): void {
  metrics.addGauge('quire_jobs', 'Jobs by state', ['state'], () => queue.gauge());
  const waits = (of: (wait: LaneWait) => number): Promise<{ labels: { lane: string }; value: number }[]> =>
    queue
      .waits(LANES)
      .then((all) => all.map((wait) => ({ labels: { lane: wait.lane }, value: Math.round(of(wait)) / 1000 })));
  metrics.addGauge('quire_oldest_job_seconds', 'Time that the oldest due job of a lane has waited', ['lane'], () =>
    waits(({ oldestDueMs }) => oldestDueMs ?? 0),
  );
  metrics.addGauge(
    'quire_starved_job_seconds',
    'Time that the oldest due job of a workspace without a running job in the lane has waited',
    ['lane'],
    () => waits(({ starvedMs }) => starvedMs ?? 0),
  );
  metrics.addGauge('quire_webhook_deliveries', 'Deliveries that are pending', [], () => countPending(database.db));
  metrics.addGauge('quire_last_backup_timestamp_seconds', 'Time of the last complete backup', [], async () => {
    const at = await findLastBackup(store);
    return at === null ? [] : [{ value: at.getTime() / 1000 }];
  });
}
