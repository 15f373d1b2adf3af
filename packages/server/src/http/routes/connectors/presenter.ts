import type { z } from 'zod';
import type { SourceItemRecord, SyncRecord } from '../../../database/tables.ts';
import { presentSync as viewSync } from '../../../domain/connectors/sync/sync-view.ts';
import type { ConnectorView } from '../../../domain/connectors/types.ts';
import { iso, isoOrNull } from '../../schemas/common.ts';
import type { connectorShape, itemShape, syncShape } from './schemas.ts';

type Connector = z.output<typeof connectorShape>;
type Item = z.output<typeof itemShape>;
type Sync = z.output<typeof syncShape>;

export const presentSync = (record: SyncRecord): Sync => viewSync(record) as Sync;

export const presentConnector = ({ record, status, lastSync, itemCounts }: ConnectorView): Connector => ({
  id: record.id,
  workspaceId: record.workspace_id,
  collectionId: record.collection_id,
  name: record.name,
  kind: record.kind as Connector['kind'],
  config: record.config,
  schedule: record.schedule,
  deletions: record.deletions,
  maxDeletionShare: record.max_deletion_share,
  include: record.include,
  exclude: record.exclude,
  maxFileBytes: record.max_file_bytes === null ? null : Number(record.max_file_bytes),
  metadata: record.metadata,
  status,
  lastSync: lastSync === null ? null : presentSync(lastSync),
  nextSyncAt: record.deleted_at === null ? isoOrNull(record.next_sync_at) : null,
  itemCounts: { synced: itemCounts.synced, failed: itemCounts.failed, skipped: itemCounts.skipped },
  createdAt: iso(record.created_at),
  modifiedAt: iso(record.modified_at),
  deletedAt: isoOrNull(record.deleted_at),
});

/** `listedAt` is the end of the latest full listing: it contained every file that is neither missing nor deleted. */
export function presentItem(record: SourceItemRecord, listedAt: Date | null): Item {
  const isListed = !record.is_missing && record.status !== 'deleted';
  const seenAt = isListed && listedAt !== null && listedAt > record.last_seen_at ? listedAt : record.last_seen_at;
  return {
    path: record.path,
    url: record.url,
    status: record.status as Item['status'],
    sizeBytes: record.size_bytes === null ? null : Number(record.size_bytes),
    version: record.version ?? record.listed_version,
    sourceModifiedAt: isoOrNull(record.source_modified_at),
    documentId: record.document_id,
    error: record.error_type === null ? null : { type: record.error_type, message: record.error_message ?? '' },
    lastSeenAt: iso(seenAt),
    syncedAt: isoOrNull(record.synced_at),
  };
}
