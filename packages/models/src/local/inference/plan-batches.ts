/**
 * A batch's size in tokens, padding included. Larger batches are not faster on a processor (measured: 8 texts of 180
 * tokens at once take as long as one by one), and a second query waits for a batch to end: 512 tokens are 40 to 130 ms.
 */
const BATCH_TOKENS = 512;

/** Places of the rows, grouped by like length so that little is padded; within a batch the longest comes last. */
export function planBatches(lengths: readonly number[], batchTokens = BATCH_TOKENS): number[][] {
  const order = lengths.map((_, index) => index).toSorted((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    if (batch.length > 0 && (batch.length + 1) * (lengths[index] ?? 0) > batchTokens) {
      batches.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
