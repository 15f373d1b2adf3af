/** Batches of rows in buffers of their own, which can be transferred to another thread. */
import type { IndexRow } from '../search-index.ts';
import type { RowBatch } from './copy-source.ts';

/** Copies the batch into buffers of its own: its columns may share a buffer with one another and with other rows. */
export function ownBatch(batch: RowBatch, dimensions: number | null): RowBatch {
  const { rows } = batch;
  const first = batch.termOffsets[0] ?? 0;
  return {
    rows,
    chunkKeys: batch.chunkKeys.slice(0, rows),
    documentKeys: batch.documentKeys.slice(0, rows),
    revisions: batch.revisions.slice(0, rows),
    // Copied explicitly: the `slice` of a Buffer does not copy.
    terms: new Uint8Array(batch.terms.subarray(first, batch.termOffsets[rows])),
    termOffsets: batch.termOffsets.slice(0, rows + 1).map((offset) => offset - first),
    vectors: batch.vectors?.slice(0, rows * (dimensions ?? 0)) ?? null,
    rowIds: batch.rowIds.slice(0, rows),
  };
}

/** Builds a batch of rows that have no row ids yet. */
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
    rowIds: new BigUint64Array(0),
  };
}

/** Returns the buffers to transfer with the batch. */
export function buffersOf(batch: RowBatch): ArrayBuffer[] {
  const { chunkKeys, documentKeys, revisions, terms, termOffsets, vectors, rowIds } = batch;
  const columns = [chunkKeys, documentKeys, revisions, terms, termOffsets, rowIds, ...(vectors ? [vectors] : [])];
  return columns.map(({ buffer }) => buffer as ArrayBuffer);
}
