/** Measures of ranked lists. `ranked` are the grades of the hits, best hit first; `all` the grades of all documents. */

/** Returns nDCG with gains `2^grade − 1` (Burges and others, Learning to Rank using Gradient Descent, 2005). */
export function ndcg(ranked: readonly number[], all: readonly number[]): number {
  const gain = (grades: readonly number[]): number =>
    grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
  const ideal = gain(all.toSorted((a, b) => b - a).slice(0, Math.max(ranked.length, 10)));
  return ideal === 0 ? 0 : gain(ranked) / ideal;
}

/** Returns the share of the relevant documents that are in the list. */
export function recall(ranked: readonly number[], all: readonly number[]): number {
  const relevant = all.filter((grade) => grade > 0).length;
  return relevant === 0 ? 0 : ranked.filter((grade) => grade > 0).length / relevant;
}

/** Returns 1 / rank of the first relevant hit; 0 if there is none. */
export function reciprocalRank(ranked: readonly number[]): number {
  const index = ranked.findIndex((grade) => grade > 0);
  return index < 0 ? 0 : 1 / (index + 1);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
