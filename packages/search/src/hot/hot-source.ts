/** What a hot copy is made from: an index whose rows can be read, with versions that tell when there is something new. */
import type { IndexTable, SearchIndex } from '../search-index.ts';

/** Rows by column. Row `n` has the terms from `termOffsets[n]` to `termOffsets[n + 1]` and as many numbers as a vector has. */
export interface RowBatch {
  rows: number;
  chunkKeys: BigInt64Array;
  documentKeys: BigInt64Array;
  revisions: Int32Array;
  /** UTF-8. */
  terms: Uint8Array;
  termOffsets: Int32Array;
  vectors: Float32Array | null;
  /** Rows that come later have higher ones; what is rewritten gets new ones. */
  rowIds: BigUint64Array;
}

export interface HotSource extends SearchIndex {
  /** Grows with each commit; undefined when there is no table. */
  version(table: IndexTable): Promise<number | undefined>;
  /** What no other table has that had this name or gets it; null for one that was made without. Undefined as above. */
  identity(table: IndexTable): Promise<string | null | undefined>;
  /** All rows with at least this id, as of one version that is not older than the call. Batches of about a thousand rows. */
  scan(table: IndexTable, fromRowId: bigint): AsyncIterable<RowBatch>;
}
