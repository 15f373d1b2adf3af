import type { z } from 'zod';
import type { CollectionIndexRecord } from '../../../database/tables.ts';
import type { CollectionView } from '../../../domain/collections/types.ts';
import { iso, isoOrNull } from '../../schemas/common.ts';
import type { collectionShape } from './schemas.ts';

type Shape = z.output<typeof collectionShape>;

const REINDEX_STATUS = {
  building: 'running',
  live: 'done',
  retired: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;

function presentReindex(index: CollectionIndexRecord | null): Shape['reindex'] {
  if (index === null) return null;
  // Until the rebuild is finished, the counts are those of the old chunks.
  const status = index.status === 'live' && index.finished_at === null ? 'running' : REINDEX_STATUS[index.status];
  const share = index.documents_total === 0 ? 0 : index.documents_done / index.documents_total;
  return { status, progress: status === 'done' ? 1 : Math.min(1, Math.round(share * 1000) / 1000) };
}

export function presentCollection(view: CollectionView): Shape {
  const { record, documentCounts, archiveCounts, failedByType, chunkCount, reindex } = view;
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    name: record.name,
    description: record.description,
    parserId: record.parser_id,
    embedderId: record.embedder_id,
    sparseEmbedderId: record.sparse_embedder_id,
    chunking: { maxTokens: record.chunking.maxTokens, overlapTokens: record.chunking.overlapTokens },
    rerank: record.rerank === null ? null : { model: record.rerank.model, topK: record.rerank.topK },
    metadata: record.metadata,
    documentCounts: {
      indexing: documentCounts.indexing,
      ready: documentCounts.ready,
      failed: documentCounts.failed,
    },
    archiveCounts: {
      indexing: archiveCounts.indexing,
      ready: archiveCounts.ready,
      failed: archiveCounts.failed,
    },
    failedByType,
    chunkCount,
    reindex: presentReindex(reindex),
    createdAt: iso(record.created_at),
    modifiedAt: iso(record.modified_at),
    deletedAt: isoOrNull(record.deleted_at),
  };
}
