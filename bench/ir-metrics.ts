/** Metrics of ranked retrieval with graded relevance. */

/** Normalised discounted cumulative gain with linear gains, as trec_eval's `ndcg_cut` (Järvelin, Kekäläinen 2002). */
export function ndcg(ranked: readonly string[], grades: ReadonlyMap<string, number>, depth: number): number {
  const gain = (values: readonly number[]): number =>
    values.slice(0, depth).reduce((sum, value, index) => sum + Math.max(0, value) / Math.log2(index + 2), 0);
  const ideal = gain([...grades.values()].toSorted((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranked.map((id) => grades.get(id) ?? 0)) / ideal;
}

/** Returns the share of the relevant documents among the first `depth` results. */
export function recall(ranked: readonly string[], grades: ReadonlyMap<string, number>, depth: number): number {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id);
  const found = new Set(ranked.slice(0, depth));
  return relevant.length === 0 ? 0 : relevant.filter((id) => found.has(id)).length / relevant.length;
}

/** Returns the 95 % interval of the mean from 1,000 bootstrap samples with a fixed seed. */
export function confidenceInterval(values: readonly number[]): [number, number] {
  let state = 42;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: 1000 }, () => {
    let sum = 0;
    for (let index = 0; index < values.length; index++) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  }).toSorted((a, b) => a - b);
  return [means[24] ?? NaN, means[974] ?? NaN];
}
