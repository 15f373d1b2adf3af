/** What the service and the thread of the copies say to each other. Large arrays are handed over, not copied. */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { IndexFilter, IndexHit } from '../search-index.ts';
import type { RowBatch } from './hot-source.ts';

export interface DocumentRemoval {
  documentKey: bigint;
  belowRevision: number | null;
}

/** Whether whole documents are removed, and not only their former revisions: they may have been purged. */
export const erasesDocuments = (removed: readonly DocumentRemoval[]): boolean =>
  removed.some(({ belowRevision }) => belowRevision === null);

/** `table` is a number that the caller gives a copy when it opens it, saying about how many rows it will have. */
export type HotRequest = { table: number } & (
  | { do: 'open'; dimensions: number | null; rows: number }
  /** Adds rows that are not known yet, a few at a time: searches go in between. */
  | { do: 'load'; rows: RowBatch }
  /** Adds rows at once; they take the place of older ones of the same chunks. */
  | { do: 'add'; rows: RowBatch }
  | { do: 'remove'; documents: readonly DocumentRemoval[] }
  | { do: 'sparse'; terms: readonly QueryTerm[]; limit: number; filter: IndexFilter | undefined }
  | { do: 'dense'; vector: Float32Array; limit: number; filter: IndexFilter | undefined }
  /** Writes what the copy holds now to a file; it has all rows of the table's version. */
  | { do: 'save'; file: string; name: string; identity: string | null; version: number }
  /** Fills a copy that was just opened from such a file, if there is a good one. */
  | { do: 'restore'; file: string; name: string; identity: string | null }
  | { do: 'release' }
);

/** Of a copy after a change. */
export interface TableState {
  bytes: number;
  /** That are searched, and that only take up room. */
  rows: number;
  removedRows: number;
  /** Comes after all that were loaded. */
  nextRowId: bigint;
}

/** Of a copy that holds nothing. */
export const EMPTY_STATE: TableState = { bytes: 0, rows: 0, removedRows: 0, nextRowId: 0n };

/** Hits by column, best first. */
export interface HitColumns {
  chunkKeys: BigInt64Array;
  documentKeys: BigInt64Array;
  revisions: Int32Array;
  scores: Float64Array;
}

/** `version`: what a copy that was restored is a copy of; null when there was nothing to restore. */
export type HotReply = { state: TableState; version?: number | null } | { hits: HitColumns } | { error: string };
export type HotResult = Exclude<HotReply, { error: string }>;

/** Several at once, for a message costs more than what is in it. */
export type RequestMessage = readonly { id: number; request: HotRequest }[];
export type ReplyMessage = readonly { id: number; reply: HotReply }[];

export function columnsOfHits(hits: readonly IndexHit[]): HitColumns {
  const columns = {
    chunkKeys: new BigInt64Array(hits.length),
    documentKeys: new BigInt64Array(hits.length),
    revisions: new Int32Array(hits.length),
    scores: new Float64Array(hits.length),
  };
  // In a loop: `from` with a function takes five times as long.
  for (const [at, { chunkKey, documentKey, revision, score }] of hits.entries()) {
    columns.chunkKeys[at] = chunkKey;
    columns.documentKeys[at] = documentKey;
    columns.revisions[at] = revision;
    columns.scores[at] = score;
  }
  return columns;
}

export function hitsOfColumns({ chunkKeys, documentKeys, revisions, scores }: HitColumns): IndexHit[] {
  return Array.from(chunkKeys, (chunkKey, at) => ({
    chunkKey,
    documentKey: documentKeys[at] ?? 0n,
    revision: revisions[at] ?? 0,
    score: scores[at] ?? 0,
  }));
}
