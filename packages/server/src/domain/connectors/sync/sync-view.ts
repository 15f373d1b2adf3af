/** A synchronisation as clients and events show it. */
import type { SyncChange, SyncRecord, SyncStatus } from '../../../database/tables.ts';

export interface SyncView {
  id: string;
  connectorId: string;
  trigger: 'manual' | 'schedule';
  dryRun: boolean;
  status: SyncStatus;
  phase: 'listing' | 'fetching' | 'deleting' | null;
  counts: {
    listed: number;
    added: number;
    updated: number;
    unchanged: number;
    skipped: number;
    deleted: number;
    failed: number;
  };
  progress: { toFetch: number; fetched: number; fetchedBytes: number };
  changes: SyncChange[];
  error: { type: string; message: string } | null;
  nextTryAt: string | null;
  startedAt: string;
  finishedAt: string | null;
}

export const presentSync = (sync: SyncRecord): SyncView => ({
  id: sync.id,
  connectorId: sync.connector_id,
  trigger: sync.trigger,
  dryRun: sync.dry_run,
  status: sync.status,
  phase: sync.phase === 'comparing' ? 'listing' : sync.phase,
  counts: {
    listed: sync.listed,
    added: sync.added,
    updated: sync.updated,
    unchanged: sync.unchanged,
    skipped: sync.skipped,
    deleted: sync.deleted,
    failed: sync.failed,
  },
  progress: { toFetch: sync.to_fetch, fetched: sync.fetched, fetchedBytes: Number(sync.fetched_bytes) },
  changes: sync.changes.map(({ path, change, reason }) => ({ path, change, reason })),
  error: sync.error_type === null ? null : { type: sync.error_type, message: sync.error_message ?? '' },
  nextTryAt: sync.next_try_at?.toISOString() ?? null,
  startedAt: sync.started_at.toISOString(),
  finishedAt: sync.finished_at?.toISOString() ?? null,
});
