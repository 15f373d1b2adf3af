import type { Chunking, CollectionIndexRecord, CollectionRecord } from '../../database/tables.ts';

/** What a document's passages are cut to unless the collection says otherwise. */
export const DEFAULT_CHUNKING: Chunking = { maxTokens: 320, overlapTokens: 0 };

export interface NewCollection {
  name: string;
  description?: string | null | undefined;
  parserId?: string | undefined;
  embedderId?: string | undefined;
  sparseEmbedderId?: string | undefined;
  chunking?: { [K in keyof Chunking]?: Chunking[K] | undefined } | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export type CollectionChanges = { [K in keyof NewCollection]?: NewCollection[K] | undefined };

/** A collection with what its documents and indexes add up to. */
export interface CollectionView {
  record: CollectionRecord;
  documentCounts: { indexing: number; ready: number; failed: number };
  chunkCount: number;
  reindex: CollectionIndexRecord | null;
}

/** The name of the search index's table for one generation of a collection. */
export function indexTableName(collectionId: string, generation: number): string {
  return `c_${collectionId.replaceAll('-', '')}_${generation}`;
}
