/** The index that copies are made from: its rows can be scanned, and its version grows with each write. */
import type { IndexTable, SearchIndex } from '../search-index.ts';

/** Rows as columns. The terms of row `n` are `terms[termOffsets[n]..termOffsets[n + 1]]`; vectors are concatenated. */
export interface RowBatch {
  rows: number;
  chunkKeys: BigInt64Array;
  documentKeys: BigInt64Array;
  revisions: Int32Array;
  /** UTF-8. */
  terms: Uint8Array;
  termOffsets: Int32Array;
  vectors: Float32Array | null;
  /** Ascending with the time of writing; a rewritten row gets a new id. */
  rowIds: BigUint64Array;
}

export interface CopySource extends SearchIndex {
  /** Returns a number that grows with each commit, or undefined when the table does not exist. */
  version(table: IndexTable): Promise<number | undefined>;
  /** Returns an id that no other table of this name ever has; null for tables without one, undefined as above. */
  identity(table: IndexTable): Promise<string | null | undefined>;
  /**
   * Yields all rows with at least this id, of one version that is not older than the call, in batches of about 1,000.
   */
  scan(table: IndexTable, fromRowId: bigint): AsyncIterable<RowBatch>;
}
