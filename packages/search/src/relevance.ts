/**
 * The relevance of a hit: a probability, 0..1, that its chunk is about the query. Unlike the fused score it does not
 * depend on the other hits, so it is comparable across queries, collections and embedding models.
 *
 * Logistic regression over three signals. The coefficients were fitted by `npm run bench:relevance` on sections of
 * documentation packages; docs/decisions/2026-11-22-relevance.md has the data and the measured errors.
 */
export interface RelevanceSignals {
  /**
   * Cosine of query and chunk above the mean of the model's background, in standard deviations of the background; null
   * without a dense leg.
   */
  deviation: number | null;
  /** Number of distinct terms of the query. */
  termCount: number;
  /** Number of them that the chunk or its headings contain. */
  matchedCount: number;
}

interface Coefficients {
  intercept: number;
  deviation: number;
  /** Weight of the share of the query's terms that the chunk contains. */
  coverage: number;
  /** Weight of the logarithm of 1 plus the number of matched terms: one word matches by chance. */
  matched: number;
}

const WITH_DENSE: Coefficients = { intercept: -9.51, deviation: 0.73, coverage: 3.69, matched: 2.01 };
const TERMS_ONLY: Coefficients = { intercept: -7.25, deviation: 0, coverage: 4.26, matched: 2.84 };

/** Bounds of the deviation, beyond which it adds no evidence. */
const MIN_DEVIATION = -2;
const MAX_DEVIATION = 12;

export function relevanceOf(signals: RelevanceSignals): number {
  const { intercept, deviation, coverage, matched } = signals.deviation === null ? TERMS_ONLY : WITH_DENSE;
  const [x1, x2, x3] = featuresOf(signals);
  return 1 / (1 + Math.exp(-(intercept + deviation * x1 + coverage * x2 + matched * x3)));
}

/** Returns the bounded deviation, the coverage and the logarithm of the matched terms. */
export function featuresOf({ deviation, termCount, matchedCount }: RelevanceSignals): [number, number, number] {
  const bounded = Math.min(MAX_DEVIATION, Math.max(MIN_DEVIATION, deviation ?? 0));
  return [bounded, termCount === 0 ? 0 : matchedCount / termCount, Math.log1p(matchedCount)];
}

/** Cosines of a query with texts that it is not about. */
export interface Background {
  mean: number;
  deviation: number;
}

/** Minimum standard deviation of a background, so that a query unrelated to all of it does not divide by zero. */
const MIN_BACKGROUND_DEVIATION = 0.02;

/** Returns the mean and standard deviation of the query's cosines with the background texts. */
export function backgroundOf(query: Float32Array, texts: readonly Float32Array[]): Background {
  const cosines = texts.map((text) => dot(query, text));
  const mean = cosines.reduce((sum, each) => sum + each, 0) / cosines.length;
  const variance = cosines.reduce((sum, each) => sum + (each - mean) ** 2, 0) / cosines.length;
  return { mean, deviation: Math.max(MIN_BACKGROUND_DEVIATION, Math.sqrt(variance)) };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
