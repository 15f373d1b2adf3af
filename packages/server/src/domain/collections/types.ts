import { OWN_TABLE } from '@quire/search/search-index';
import type { Chunking, CollectionIndexRecord, CollectionRecord } from '../../database/tables.ts';

/**
 * 320 tokens are about a screen of text: a citation stays easy to check, and a chunk with its headings fits the 512
 * tokens that small embedding models read. The overlap, one or two sentences, applies only where a section is split.
 */
export const DEFAULT_CHUNKING: Chunking = { maxTokens: 320, overlapTokens: 32 };

export interface NewCollection {
  name: string;
  description?: string | null | undefined;
  parserId?: string | undefined;
  embedderId?: string | undefined;
  sparseEmbedderId?: string | undefined;
  chunking?: { [K in keyof Chunking]?: Chunking[K] | undefined } | undefined;
  /** Null for no reranker. */
  rerank?: { model: string; topK?: number | undefined } | null | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export type CollectionChanges = { [K in keyof NewCollection]?: NewCollection[K] | undefined };

/** Numbers of documents that are not deleted, by status. */
export interface StatusCounts {
  indexing: number;
  ready: number;
  failed: number;
}

/** A collection with the totals of its documents and the state of its newest re-index. */
export interface CollectionView {
  record: CollectionRecord;
  documentCounts: StatusCounts;
  archiveCounts: StatusCounts;
  /** Failed documents without archives, by type of the error. */
  failedByType: Record<string, number>;
  chunkCount: number;
  reindex: CollectionIndexRecord | null;
}

/** Returns the name of the search index's table for one generation of a collection. */
export function indexTableName(collectionId: string, generation: number, isOwn = false): string {
  return `c_${collectionId.replaceAll('-', '')}_${generation}${isOwn ? OWN_TABLE : ''}`;
}

const INDEX_TABLE_NAME = /^c_[0-9a-f]{32}_\d+(?:_r(\d+))?(?:_own)?$/;

/** Whether the table shares no storage with others. */
export const isOwnTable = (tableName: string): boolean => tableName.endsWith(OWN_TABLE);

export const isIndexTableName = (name: string): boolean => INDEX_TABLE_NAME.test(name);

/** Returns when a replacement table was named, in ms since 1970; undefined for a generation's first table. */
export function renewedAt(tableName: string): number | undefined {
  const renewed = INDEX_TABLE_NAME.exec(tableName)?.[1];
  return renewed === undefined ? undefined : Number(renewed);
}

/** Returns the name of a table that replaces another one of the same generation; it stays one of its own. */
export function renewedTableName(tableName: string, at: Date, isOwn = isOwnTable(tableName)): string {
  return `${tableName.replace(/(?:_r\d+)?(?:_own)?$/, '')}_r${at.getTime()}${isOwn ? OWN_TABLE : ''}`;
}
