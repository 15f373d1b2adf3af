import type { Chunking, CollectionIndexRecord, CollectionRecord } from '../../database/tables.ts';

/**
 * 320 tokens: a passage is about a screen of text, a citation stays easy to check, and with its headings it fits the 512
 * that small embedding models read. The overlap, a sentence or two, is only used where a section is cut.
 */
export const DEFAULT_CHUNKING: Chunking = { maxTokens: 320, overlapTokens: 32 };

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

/** Of a table that takes the place of one of that name. */
export function renewedTableName(tableName: string, at: Date): string {
  return `${tableName.replace(/_r\d+$/, '')}_r${at.getTime()}`;
}
