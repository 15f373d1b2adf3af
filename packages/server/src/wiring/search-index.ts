/**
 * Opens the search index: on a cluster that `QUIRE_INDEX_URL` names, or in the memory of this process, which is loaded
 * from PostgreSQL and follows its changes.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ThreadChannel } from '@quire/search/memory/copy-channel';
import { Snapshots } from '@quire/search/memory/snapshots';
import { SplitChannel } from '@quire/search/memory/split-channel';
import type { OpenSearchLocation } from '@quire/search/opensearch/opensearch-location';
import { RecentTables } from '@quire/search/resident/recent-tables';
import { ResidentIndex, type ResidentIndexStats } from '@quire/search/resident/resident-index';
import type { SearchIndex } from '@quire/search/search-index';
import { freeBytes } from '@quire/shared/free-space';
import type { Config } from '../config/config.ts';
import { ChunkFeed, CHUNKS_TOPIC } from '../database/chunks/chunk-feed.ts';
import { createWatchedPool } from '../database/connect.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Logger } from '../logger.ts';
import type { OpenDatabase } from '../open-database.ts';
import { Periodic } from '../shared/periodic.ts';
import { FEED_CONNECTIONS } from './connections.ts';
import { removeFormerIndex } from './former-index.ts';

export interface OpenSearchIndex {
  index: SearchIndex;
  stats: () => ResidentIndexStats;
  /** Describes the state for `/readyz`; rejects when the index cannot be reached. */
  describe: () => Promise<string>;
  close: () => Promise<void>;
}

interface Deps {
  database: OpenDatabase;
  notifications: Notifications;
  logger: Logger;
}

const MAX_WAIT_MS = 5_000;
const POLL_MS = 500;
const REMEMBER_MS = 60_000;
const FORGET_REMOVALS_MS = 60 * 60_000;

export function openSearchIndex(config: Config, deps: Deps): Promise<OpenSearchIndex> {
  return config.indexCluster === null ? openResident(config, deps) : openCluster(config, config.indexCluster);
}

async function openCluster({ extraCaFile }: Config, location: OpenSearchLocation): Promise<OpenSearchIndex> {
  // Imported on use: most services have no cluster.
  const { OpenSearchIndex: ClusterIndex } = await import('@quire/search/opensearch/opensearch-index');
  const extraCa = extraCaFile === null ? null : await readFile(extraCaFile, 'utf8');
  const index = new ClusterIndex({ location, extraCa });
  return {
    index,
    stats: () => NO_TABLES,
    describe: () => index.describe(),
    close: () => index.close(),
  };
}

async function openResident(config: Config, { database, notifications, logger }: Deps): Promise<OpenSearchIndex> {
  const { pool, watch } = createWatchedPool({
    connection: database.connection,
    poolSize: FEED_CONNECTIONS,
    applicationName: 'quire index',
    logger,
  });
  const feed = new ChunkFeed(pool, watch);
  // A snapshot takes at most as much as the tables in memory, and only saves time at the next start.
  const hasRoom = async (): Promise<boolean> =>
    (await freeBytes(config.dataDir)) >= config.limits.minFreeBytes + index.memoryStats.bytes;
  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
  const index: ResidentIndex = new ResidentIndex(feed, {
    maxBytes: config.searchMemoryBytes,
    onError: warn('an index table in memory could not be used'),
    channel: new SplitChannel(new ThreadChannel(), new ThreadChannel()),
    snapshots: new Snapshots(path.join(config.dataDir, 'search-copies'), config.searchMemoryBytes, hasRoom),
    maxWaitMs: MAX_WAIT_MS,
    serves: config.role !== 'worker',
    pollMs: POLL_MS,
    recent: new RecentTables(path.join(config.dataDir, 'searched-tables.json')),
  });
  const unsubscribe = notifications.subscribe(CHUNKS_TOPIC, () => index.notify());
  const remember = new Periodic(() => index.remember(), REMEMBER_MS, warn('the searched tables could not be saved'));
  const forget = new Periodic(() => feed.removeOld(), FORGET_REMOVALS_MS, warn('removing old removals failed'));
  remember.start();
  forget.start();
  if (config.role !== 'worker') {
    loadAtStart(config, index, feed).catch(warn('the tables that were searched last could not be loaded'));
  }
  return {
    index,
    stats: () => index.memoryStats,
    describe: async () => {
      const { tables, loading, bytes, loadingRows, expectedRows } = index.memoryStats;
      const progress = loading === 0 ? '' : ` (${loadingRows} of ${expectedRows} chunks)`;
      const loaded = tables - loading;
      return `${loaded} ${loaded === 1 ? 'table' : 'tables'} in memory, ${loading} loading${progress}, ${Math.round(bytes / 2 ** 20)} MB`;
    },
    close: async () => {
      unsubscribe();
      await Promise.all([remember.stop(), forget.stop()]);
      await index.close();
      await pool.end();
      await watch.stop();
    },
  };
}

/** A cluster keeps no tables in the memory of this process. */
const NO_TABLES: ResidentIndexStats = {
  tables: 0,
  loading: 0,
  loadingRows: 0,
  expectedRows: 0,
  bytes: 0,
  searches: 0,
  failures: { ended: 0, failed: 0, silent: 0 },
};

/** Loads the tables that were searched last, and those of which files of an earlier version are left. */
async function loadAtStart(config: Config, index: ResidentIndex, feed: ChunkFeed): Promise<void> {
  await index.preload();
  await removeFormerIndex(config.indexUri, index, feed);
}
