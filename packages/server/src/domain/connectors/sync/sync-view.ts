/** A synchronisation as clients and events show it. */
import type { SyncChange, SyncRecord, SyncStatus, SyncWarning } from '../../../database/tables.ts';

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
  /** Files that were requested from the source before their documents were deleted. */
  verification: { checked: number; present: number; unknown: number };
  changes: SyncChange[];
  warnings: SyncWarning[];
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
  phase: sync.phase === 'comparing' || sync.phase === 'checking' ? 'listing' : sync.phase,
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
  verification: { checked: sync.checked, present: sync.left_out, unknown: sync.unconfirmed },
  changes: sync.changes.map(({ path, change, reason }) => ({ path, change, reason })),
  warnings: warningsOf(sync),
  error: sync.error_type === null ? null : { type: sync.error_type, message: sync.error_message ?? '' },
  nextTryAt: sync.next_try_at?.toISOString() ?? null,
  startedAt: sync.started_at.toISOString(),
  finishedAt: sync.finished_at?.toISOString() ?? null,
});

function warningsOf({ warnings, left_out: count }: SyncRecord): SyncWarning[] {
  const own = warnings.map(({ type, message }) => ({ type, message }));
  if (count === 0) return own;
  const files =
    count === 1 ? 'a file that exists; its document stays' : `${count} files that exist; their documents stay`;
  return [...own, { type: 'files_left_out', message: `The listing left out ${files}` }];
}
