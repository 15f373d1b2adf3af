import type { EventLoopTurns } from '@quire/shared/event-loop-turns';

/** Sparse vector of terms, weighted by their rarity among the given texts (TF-IDF), of length 1. */
export type TermVector = ReadonlyMap<string, number>;

/**
 * Weighs a term by the square root of its count times `ln(1 + n / df)`, so that repetition counts less than linearly.
 */
export async function termVectors(texts: readonly (readonly string[])[], turns: EventLoopTurns): Promise<TermVector[]> {
  const holders = new Map<string, number>();
  for (const terms of texts) {
    for (const term of new Set(terms)) holders.set(term, (holders.get(term) ?? 0) + 1);
    await turns.pass();
  }
  const idf = (term: string): number => Math.log(1 + texts.length / (holders.get(term) ?? texts.length));
  const vectors: TermVector[] = [];
  for (const terms of texts) {
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    vectors.push(unit(new Map([...counts].map(([term, count]) => [term, Math.sqrt(count) * idf(term)]))));
    await turns.pass();
  }
  return vectors;
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

/**
 * Returns the centrality of each text: the sum of its similarities to all texts, computed in one pass over their sum
 * (Erkan and Radev, LexRank, 2004: the degree in the similarity graph, here continuous).
 */
export async function centralities(vectors: readonly TermVector[], turns: EventLoopTurns): Promise<number[]> {
  const total = new Map<string, number>();
  for (const vector of vectors) {
    for (const [term, weight] of vector) total.set(term, (total.get(term) ?? 0) + weight);
    await turns.pass();
  }
  const found: number[] = [];
  for (const vector of vectors) {
    found.push(similarity(vector, total));
    await turns.pass();
  }
  return found;
}
