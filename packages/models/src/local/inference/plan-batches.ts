/**
 * Maximum size of a batch in tokens, with padding. Larger batches are not faster on a CPU (8 texts of 180 tokens take
 * as long in one batch as one by one), and a second query waits for the batch: 512 tokens take 40 to 130 ms.
 */
const BATCH_TOKENS = 512;

/** Groups rows of similar length, to limit padding; within a batch the longest comes last. Returns indexes. */
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
