/**
 * Opens the search index: on a cluster that `QUIRE_INDEX_URL` names, on disk with copies in memory, or
 * (`QUIRE_SEARCH_ENGINE=memory`) in memory alone.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LanceIndex } from '@quire/search/lance-index';
import { ThreadChannel } from '@quire/search/memory/copy-channel';
import { MemoryIndex, type MemoryIndexStats } from '@quire/search/memory/memory-index';
import { Snapshots } from '@quire/search/memory/snapshots';
import { SplitChannel } from '@quire/search/memory/split-channel';
import type { OpenSearchLocation } from '@quire/search/opensearch/opensearch-location';
import { RecentTables } from '@quire/search/resident/recent-tables';
import { ResidentIndex } from '@quire/search/resident/resident-index';
import type { SearchIndex } from '@quire/search/search-index';
import type { Config } from '../config/config.ts';
import { ChunkFeed, CHUNKS_TOPIC } from '../database/chunk-feed.ts';
import { createPool } from '../database/connect.ts';
import type { Notifications } from '../database/notifications.ts';
import { oneAtATime } from '../database/one-at-a-time.ts';
import type { Logger } from '../logger.ts';
import type { OpenDatabase } from '../open-database.ts';
import { Periodic } from '../shared/periodic.ts';

export interface OpenSearchIndex {
  index: SearchIndex;
  stats: () => MemoryIndexStats;
  /** Describes the state for `/readyz`; rejects when the index cannot be reached. */
  describe: () => Promise<string>;
  close: () => Promise<void>;
}

interface Deps {
  database: OpenDatabase;
  notifications: Notifications;
  logger: Logger;
}

/** A load, a catch-up and a comparison at once. */
const FEED_CONNECTIONS = 4;
const MAX_WAIT_MS = 5_000;
const POLL_MS = 500;
const REMEMBER_MS = 60_000;
const FORGET_REMOVALS_MS = 60 * 60_000;

export function openSearchIndex(config: Config, deps: Deps): Promise<OpenSearchIndex> {
  if (config.indexCluster !== null) return openCluster(config, config.indexCluster);
  return config.searchEngine === 'memory' ? openResident(config, deps) : openOnDisk(config, deps);
}

async function openCluster({ extraCaFile }: Config, location: OpenSearchLocation): Promise<OpenSearchIndex> {
  // Imported on use: most services have no cluster.
  const { OpenSearchIndex: ClusterIndex } = await import('@quire/search/opensearch/opensearch-index');
  const extraCa = extraCaFile === null ? null : await readFile(extraCaFile, 'utf8');
  const index = new ClusterIndex({ location, extraCa });
  return {
    index,
    stats: () => NO_COPIES,
    describe: () => index.describe(),
    close: () => index.close(),
  };
}

async function openOnDisk(config: Config, { database, logger }: Deps): Promise<OpenSearchIndex> {
  const lance = await LanceIndex.open({
    uri: config.indexUri,
    oneAtATime: (name, work) => oneAtATime(database.db, name, work),
  });
  const index = new MemoryIndex(lance, {
    ...common(config, logger),
    onlyWriter: isOnlyWriter(config),
    maxWaitMs: 500,
  });
  return {
    index,
    stats: () => index.memoryStats,
    describe: async () => `${(await index.list()).length} tables on disk`,
    close: () => index.close(),
  };
}

async function openResident(config: Config, { database, notifications, logger }: Deps): Promise<OpenSearchIndex> {
  const pool = createPool({
    connection: database.connection,
    poolSize: FEED_CONNECTIONS,
    applicationName: 'quire index',
    logger,
  });
  const feed = new ChunkFeed(pool);
  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
  const index = new ResidentIndex(feed, {
    ...common(config, logger),
    maxWaitMs: MAX_WAIT_MS,
    pollMs: POLL_MS,
    recent: new RecentTables(path.join(config.dataDir, 'searched-tables.json')),
  });
  const unsubscribe = notifications.subscribe(CHUNKS_TOPIC, () => index.notify());
  const remember = new Periodic(() => index.remember(), REMEMBER_MS, warn('the searched tables could not be saved'));
  const forget = new Periodic(() => feed.removeOld(), FORGET_REMOVALS_MS, warn('removing old removals failed'));
  remember.start();
  forget.start();
  const preloaded = config.role === 'worker' ? Promise.resolve() : index.preload();
  preloaded.catch(warn('the tables that were searched last could not be loaded'));
  return {
    index,
    stats: () => ({ ...index.memoryStats, byCopy: index.memoryStats.searches, bySource: 0 }),
    describe: async () => {
      const { tables, loading, bytes } = index.memoryStats;
      return `${tables - loading} tables in memory, ${loading} loading, ${Math.round(bytes / 2 ** 20)} MB`;
    },
    close: async () => {
      unsubscribe();
      await Promise.all([remember.stop(), forget.stop()]);
      await index.close();
      await pool.end();
    },
  };
}

/** A cluster keeps no tables in the memory of this process. */
const NO_COPIES: MemoryIndexStats = {
  tables: 0,
  bytes: 0,
  byCopy: 0,
  bySource: 0,
  failures: { ended: 0, failed: 0, silent: 0 },
};

const common = (config: Config, logger: Logger) => ({
  maxBytes: config.searchMemoryBytes,
  onError: (error: unknown) => logger.warn({ err: error }, 'an index table in memory could not be used'),
  channel: new SplitChannel(new ThreadChannel(), new ThreadChannel()),
  snapshots: new Snapshots(path.join(config.dataDir, 'search-copies'), config.searchMemoryBytes),
});

/** One service at most uses an embedded database, so no other process writes to its index. */
const isOnlyWriter = (config: Config): boolean => config.role === 'all' && config.databaseUrl === null;
