/** Batches of rows in buffers of their own, which can be transferred to another thread. */
import type { IndexRow } from '../search-index.ts';

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
}

/** Builds a batch of rows. */
export function batchOfRows(rows: readonly IndexRow[], dimensions: number | null): RowBatch {
  const text = new TextEncoder().encode(rows.map((row) => row.terms).join(''));
  const termOffsets = new Int32Array(rows.length + 1);
  const vectors = dimensions === null ? null : new Float32Array(rows.length * dimensions);
  for (const [at, row] of rows.entries()) {
    termOffsets[at + 1] = (termOffsets[at] ?? 0) + Buffer.byteLength(row.terms);
    if (row.vector !== undefined) vectors?.set(row.vector, at * (dimensions ?? 0));
  }
  return {
    rows: rows.length,
    chunkKeys: BigInt64Array.from(rows, (row) => row.chunkKey),
    documentKeys: BigInt64Array.from(rows, (row) => row.documentKey),
    revisions: Int32Array.from(rows, (row) => row.revision),
    terms: text,
    termOffsets,
    vectors,
  };
}

/** Returns the buffers to transfer with the batch. */
export function buffersOf(batch: RowBatch): ArrayBuffer[] {
  const { chunkKeys, documentKeys, revisions, terms, termOffsets, vectors } = batch;
  const columns = [chunkKeys, documentKeys, revisions, terms, termOffsets, ...(vectors ? [vectors] : [])];
  return columns.map(({ buffer }) => buffer as ArrayBuffer);
}
