/** For 2 cores and 1 GB: durable at every commit, few and large checkpoints, no parallel workers. */
export const DEFAULT_SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  checkpoint_timeout: '15min',
  // The space of deleted rows is used again within seconds.
  autovacuum_naptime: '10s',
  // Parallel workers share memory through /dev/shm, 64 MB in a container; the queries here are short.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  // Statements may carry content and credentials, so none is logged.
  log_statement: 'none',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

const MB = 1024 * 1024;
/** Part of the disk that the write-ahead log may take between two checkpoints, which return it. */
const WAL_SHARE = 20;

/** Returns the maximum size of the write-ahead log for a disk of this size: 2 GB from 40 GB on. */
export function walSize(diskBytes: number): string {
  const bytes = Math.min(Math.max(diskBytes / WAL_SHARE, 128 * MB), 2_048 * MB);
  return `${Math.floor(bytes / MB)}MB`;
}
