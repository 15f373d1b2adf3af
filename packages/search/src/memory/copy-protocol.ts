/** The messages between the service and the thread of the copies. Large arrays are transferred, not copied. */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { IndexFilter, IndexHit } from '../search-index.ts';
import type { RowBatch } from './row-batch.ts';

export interface DocumentRemoval {
  documentKey: bigint;
  belowRevision: number | null;
}

/** Returns true if whole documents are removed (they may be purged), and not only their former revisions. */
export const erasesDocuments = (removed: readonly DocumentRemoval[]): boolean =>
  removed.some(({ belowRevision }) => belowRevision === null);

/** The snapshot of a table that was not split, and the part of it that a thread of a split table takes. */
export interface WholeTable {
  dimensions: number;
  part: 'terms' | 'vectors';
}

/** `table` is the number that the caller assigns to a copy when it opens it; `rows` of `open` is an estimate. */
export type CopyRequest = { table: number } & (
  | { do: 'open'; dimensions: number | null; rows: number }
  /** Adds rows that the copy lacks, in slices, so that searches run in between. */
  | { do: 'load'; rows: RowBatch }
  /** Adds rows that the copy lacks, in one step. */
  | { do: 'add'; rows: RowBatch }
  | { do: 'remove'; documents: readonly DocumentRemoval[] }
  | { do: 'remove chunks'; chunkKeys: BigInt64Array }
  | { do: 'sparse'; terms: readonly QueryTerm[]; limit: number; filter: IndexFilter | undefined }
  | { do: 'dense'; vector: Float32Array; limit: number; filter: IndexFilter | undefined }
  /** Writes a snapshot of the copy, which holds all rows up to the position. */
  | { do: 'save'; file: string; name: string; identity: string; position: string }
  /** Fills a newly opened copy from a valid snapshot, if there is one; with `of`, from a part of a whole table's. */
  | { do: 'restore'; file: string; name: string; identity: string; of?: WholeTable }
  | { do: 'release' }
);

/** The state of a copy after a change. */
export interface TableState {
  bytes: number;
  /** Number of rows that are searched. */
  rows: number;
  /** Number of removed rows that still take memory. */
  removedRows: number;
}

/** The state of an empty copy. */
export const EMPTY_STATE: TableState = { bytes: 0, rows: 0, removedRows: 0 };

/** Hits as columns, best first. */
export interface HitColumns {
  chunkKeys: BigInt64Array;
  documentKeys: BigInt64Array;
  revisions: Int32Array;
  scores: Float64Array;
}

/** `position` is that of a restored copy; null when there was no usable snapshot. */
export type CopyReply = { state: TableState; position?: string | null } | { hits: HitColumns } | { error: string };
export type CopyResult = Exclude<CopyReply, { error: string }>;

/** Batches, since a message costs more than its contents. */
export type RequestMessage = readonly { id: number; request: CopyRequest }[];
export type ReplyMessage = readonly { id: number; reply: CopyReply }[];

export function columnsOfHits(hits: readonly IndexHit[]): HitColumns {
  const columns = {
    chunkKeys: new BigInt64Array(hits.length),
    documentKeys: new BigInt64Array(hits.length),
    revisions: new Int32Array(hits.length),
    scores: new Float64Array(hits.length),
  };
  // A loop, since `from` with a function takes five times as long.
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
