/** The parts that are opened and closed: database, storage, index, sandbox, models, the way out. */
import path from 'node:path';
import { tmpdir } from 'node:os';
import { mkdir, readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/env.ts';
import { loadSecrets, type Secrets } from '../config/secrets.ts';
import { connectDatabase, type DatabaseHandle } from '../database/connect.ts';
import { oneAtATime } from '../database/one-at-a-time.ts';
import { PostgresNotifications } from '../database/notifications-postgres.ts';
import { countPending } from '../domain/webhooks/delivery-repository.ts';
import { type Logger } from '../logger.ts';
import { Metrics } from '../metrics.ts';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { openDatabase, type OpenDatabase } from '../open-database.ts';
import { TempDirectories } from '@quire/process/temp-directories';
import { createTaskPool, type TaskPool } from '@quire/process/tasks/task-pool';
import type { ResolverOptions } from '@quire/models/local/model-resolver';
import { fetchThrough } from '@quire/models/local/sources/fetch-file';
import { LocalChatModels } from '@quire/models/local/local-chat-models';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { systemClock } from '@quire/models/remote/clock';
import { GraphileJobQueue } from '../queue/graphile-queue.ts';
import { ThreadChannel } from '@quire/search/memory/copy-channel';
import { SplitChannel } from '@quire/search/memory/split-channel';
import { MemoryIndex } from '@quire/search/memory/memory-index';
import { Snapshots } from '@quire/search/memory/snapshots';
import { LanceIndex } from '@quire/search/lance-index';
import type { SearchIndex } from '@quire/search/search-index';
import { FilesystemStore } from '../storage/filesystem-store.ts';

const REQUEST_CONNECTIONS = 12;

/** What everything else stands on. */
export interface Foundation {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  secrets: Secrets;
  database: OpenDatabase;
  /** For the workers: what they write is done again after a crash, so their commits need not wait for the disk. */
  workDatabase: DatabaseHandle;
  queue: GraphileJobQueue;
  notifications: PostgresNotifications;
  store: FilesystemStore;
  searchIndex: SearchIndex;
  sandbox: TaskPool;
  localEmbedders: LocalEmbedders;
  outbound: OutboundClient;
  localChatModels: LocalChatModels;
  spoolDir: string;
}

/** Opens what the service stands on. Rejects, with everything closed again, when a part does not open. */
export async function openFoundation(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
): Promise<{ foundation: Foundation; close: () => Promise<void> }> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const secrets = await loadSecrets(config);
    const spoolDir = path.join(config.databaseUrl === null ? config.dataDir : tmpdir(), 'quire-spool');
    await mkdir(spoolDir, { recursive: true });
    await TempDirectories.removeAbandoned(Date.now());
    const database = await openDatabase(config, logger, REQUEST_CONNECTIONS, signal);
    closers.push(() => database.close());
    const workDatabase = connectDatabase({
      connection: database.connection,
      poolSize: config.processing.workerConcurrency,
      applicationName: 'quire work',
      asynchronousCommit: true,
      logger,
    });
    closers.push(() => workDatabase.close());
    const notifications = await PostgresNotifications.connect({ connection: database.connection, logger });
    closers.push(() => notifications.close());
    const store = await FilesystemStore.open(config.storageDir);
    closers.push(() => store.close());
    // Nobody else can reach an embedded database, so nobody else writes to its index.
    const onlyWriter = config.role === 'all' && config.databaseUrl === null;
    const searchIndex = new MemoryIndex(
      await LanceIndex.open({
        uri: config.indexUri,
        oneAtATime: (name, work) => oneAtATime(database.db, name, work),
      }),
      {
        maxBytes: config.searchMemoryBytes,
        onlyWriter,
        onError: (error) => logger.warn({ err: error }, 'a copy of an index table could not be used'),
        channel: new SplitChannel(new ThreadChannel(), new ThreadChannel()),
        snapshots: new Snapshots(path.join(config.dataDir, 'search-copies'), config.searchMemoryBytes),
        maxWaitMs: 500,
      },
    );
    closers.push(() => searchIndex.close());
    const sandbox = createTaskPool({
      size: config.processing.parseProcesses,
      memoryBytes: config.processing.parseMemoryBytes,
      // On the file system of the originals, so that a child gets an original by a link and not by a copy.
      directory: path.join(config.dataDir, 'sandbox'),
      hidden: [config.dataDir, config.storageDir, spoolDir].map((place) => path.resolve(place)),
      onUnavailable: (failure) => logger.error({ err: failure }, 'a process that reads files did not start'),
    });
    logger.info(sandbox.isolation, 'isolation of the processes that read files');
    closers.push(() => sandbox.close());
    const localEmbedders = new LocalEmbedders(cachedResolverOptions(config));
    closers.push(() => localEmbedders.close());
    const outbound = await openOutbound(config);
    closers.push(async () => outbound.close());
    const queue = new GraphileJobQueue(database.db);
    const metrics = new Metrics();
    const localChatModels = new LocalChatModels({
      resolver: cachedResolverOptions(config),
      dataDir: config.dataDir,
      clock: systemClock,
      observe: (call) => metrics.observeProviderCall(call),
    });
    closers.push(async () => localChatModels.close());
    metrics.addGauge('quire_jobs', 'Jobs by state', ['state'], () => queue.gauge());
    metrics.addGauge('quire_oldest_job_seconds', 'Time that the oldest due job has waited', [], async () => [
      { value: ((await queue.oldestDueMs()) ?? 0) / 1000 },
    ]);
    metrics.addGauge('quire_webhook_deliveries', 'Deliveries that are still to be made', [], () =>
      countPending(database.db),
    );
    metrics.watchSearchIndex(() => searchIndex.memoryStats);
    const foundation = {
      config,
      logger,
      metrics,
      secrets,
      database,
      workDatabase,
      queue,
      notifications,
      store,
      searchIndex,
      sandbox,
      localEmbedders,
      outbound,
      localChatModels,
      spoolDir,
    };
    return { foundation, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function openOutbound({ allowPrivateNetwork, extraCaFile }: Config): Promise<OutboundClient> {
  const rules = new AddressRules(allowPrivateNetwork);
  if (extraCaFile === null) return new OutboundClient(rules);
  try {
    return new OutboundClient(rules, { extraCa: await readFile(extraCaFile, 'utf8') });
  } catch (error) {
    throw new ConfigurationError(`Settings:\n  QUIRE_EXTRA_CA_FILE: ${String(error)}`, { cause: error });
  }
}

/** Options that find only models on this machine: requests and jobs download none. */
export function cachedResolverOptions({ dataDir, modelDir, modelHubUrl }: Config): ResolverOptions {
  const cacheDir = path.join(dataDir, 'models');
  return { cacheDir, modelDir, hubUrl: modelHubUrl, fetchFile: null, downloadArchive: null };
}

/** Options that also download from the hub: at the first start and by `npm run models`. */
export function downloadingResolverOptions(config: Config, outbound: OutboundClient): ResolverOptions {
  return { ...cachedResolverOptions(config), fetchFile: fetchThrough(outbound) };
}
