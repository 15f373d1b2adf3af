/** Sparse vectors of terms, weighted by how few of the texts at hand hold each (TF-IDF), of length 1. */
export type TermVector = ReadonlyMap<string, number>;

/** `1 + ln(n / df)`-weights, square roots of counts: a word said twice is not twice as telling. */
export function termVectors(texts: readonly (readonly string[])[]): TermVector[] {
  const holders = new Map<string, number>();
  for (const terms of texts) for (const term of new Set(terms)) holders.set(term, (holders.get(term) ?? 0) + 1);
  const idf = (term: string): number => Math.log(1 + texts.length / (holders.get(term) ?? texts.length));
  return texts.map((terms) => {
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    return unit(new Map([...counts].map(([term, count]) => [term, Math.sqrt(count) * idf(term)])));
  });
}

export function unit(vector: ReadonlyMap<string, number>): TermVector {
  let square = 0;
  for (const weight of vector.values()) square += weight * weight;
  if (square === 0) return vector;
  const length = Math.sqrt(square);
  return new Map([...vector].map(([term, weight]) => [term, weight / length]));
}

export function similarity(a: TermVector, b: TermVector): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0);
  return sum;
}

export function sumOf(vectors: readonly TermVector[]): TermVector {
  const sum = new Map<string, number>();
  for (const vector of vectors) for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight);
  return sum;
}
